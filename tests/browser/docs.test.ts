import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { storedPlants } from '../support/database.js';
import { serveTestApp, type ServedApp } from '../support/served-app.js';
import { openBrowser } from './chromium.js';

const BEYOND_DOUBLES = '{"id":9007199254740993,"name":"monkey puzzle"}';

let browser: Browser;
let service: ServedApp;
let page: Page;
/** The origins of every request of the page, and what its console says is wrong. */
let origins: Set<string>;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
  service = await serveTestApp({ config: { docs: true, basePath: '/v1' } });
});

afterAll(async () => {
  await browser.close();
  await service.close();
});

beforeEach(async () => {
  service.reset();
  origins = new Set();
  errors = [];
  page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  page.on('request', (sent) => origins.add(new URL(sent.url()).origin));
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (line) => {
    if (line.type() === 'error') errors.push(line.text());
  });
  await page.goto(`${service.url}/docs`);
  await page.locator('.opblock').first().waitFor();
});

afterEach(async () => {
  expect(
    [...origins].filter((origin) => !service.url.startsWith(origin) && origin !== 'null'),
  ).toEqual([]);
  // Chromium reports each answer of 400 or more that a page gets; nothing else may be wrong.
  expect(errors.filter((error) => !/status of 4\d\d/.test(error))).toEqual([]);
  await page.close();
});

async function authorize(token: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.locator('.modal-ux input').fill(token);
  await page.locator('.modal-ux .authorize').click();
  await page.getByRole('button', { name: 'Close' }).click();
}

async function openCreate(): Promise<void> {
  await page.getByRole('button', { name: 'POST /plants Create a plant' }).click();
  await page.getByRole('button', { name: 'Try it out' }).click();
}

/** Sends a body, and returns the status and the body that the page shows. */
async function send(body: string): Promise<{ status: string; text: string }> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/plants'));
  await page.locator('textarea.body-param__text').fill(body);
  await page.getByRole('button', { name: 'Execute' }).click();
  const response = await answered;
  const shown = page.locator('.live-responses-table tr.response');
  await shown.getByText(String(response.status()), { exact: true }).waitFor();
  return {
    status: await shown.locator('.response-col_status').innerText(),
    text: await shown.locator('.highlight-code').first().innerText(),
  };
}

describe('/docs', () => {
  it('lists the operations of the contract', async () => {
    const names = await page.locator('.opblock-summary-control').allInnerTexts();

    expect(names.map((name) => name.split(/\s+/).slice(0, 2))).toEqual([['POST', '/plants']]);
    expect(errors).toEqual([]);
  });

  it('sends a create with the token that was entered, its id exact beyond 2^53', async () => {
    await authorize(service.token);
    await openCreate();

    const { status, text } = await send(BEYOND_DOUBLES);

    expect(status).toBe('200');
    expect(text).toContain('"name": "monkey puzzle"');
    expect(storedPlants(service.databasePath)).toEqual([
      { id: 9007199254740993n, name: 'monkey puzzle', tag: null },
    ]);
    expect(errors).toEqual([]);
  });

  it('shows what the service says of a bad create, and of one without a token', async () => {
    await openCreate();
    const anonymous = await send(BEYOND_DOUBLES);
    await authorize(service.token);

    const bad = await send('{"id":"1"}');

    expect(anonymous.status).toBe('401');
    expect(bad.status).toBe('400');
    expect(bad.text).toContain('40002');
    expect(bad.text).toContain('body /id: must be integer');
  });

  it('is used with the keyboard alone', async () => {
    await tabTo(/^Authorize/);
    await page.keyboard.press('Enter');
    await page.locator('.modal-ux input:focus').waitFor();
    await page.keyboard.type(service.token);
    await page.keyboard.press('Enter');
    await tabTo(/^Close/);
    await page.keyboard.press('Enter');
    await tabTo(/^POST/);
    await page.keyboard.press('Enter');
    await tabTo(/^Try it out/);
    await page.keyboard.press('Enter');
    await tabTo(/^textarea/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(BEYOND_DOUBLES);
    await tabTo(/^Execute/);
    await page.keyboard.press('Enter');

    await page.locator('.live-responses-table').getByText('200', { exact: true }).waitFor();
    expect(storedPlants(service.databasePath)).toHaveLength(1);
  });

  it('is never wider than a window of 400 pixels', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    const widths = [await widthOfPage()];
    await authorize(service.token);
    await openCreate();
    widths.push(await widthOfPage());
    await send(BEYOND_DOUBLES);
    widths.push(await widthOfPage());
    await send(`{"id":1,"name":"${'x'.repeat(500)}","tag":5}`);
    widths.push(await widthOfPage());

    expect(widths).toEqual([400, 400, 400, 400]);
  });

  it('looks as in its picture, which SCREENSHOT=1 takes anew', async () => {
    await authorize(service.token);
    await openCreate();
    await send('{\n  "id": 9007199254740993,\n  "name": "monkey puzzle"\n}');
    // It shows the token.
    await page.locator('.curl-command').evaluate('(element) => element.remove()');
    const operation = await page.locator('.opblock').first().boundingBox();
    const answer = await page.locator('.live-responses-table').boundingBox();
    const top = (operation?.y ?? 0) - 10;
    const height = (answer?.y ?? 0) + (answer?.height ?? 0) - top;

    const picture = await page.screenshot({
      fullPage: true,
      clip: { x: 0, y: top + (await scrolledBy()), width: 1100, height },
    });

    if (process.env.SCREENSHOT === '1') writeFileSync('docs/docs-page.png', picture);
    expect(picture.length).toBeLessThan(150_000);
  });
});

/** Presses Tab until something of this name has the focus. */
async function tabTo(name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      'document.activeElement.innerText || document.activeElement.tagName.toLowerCase()',
    );
    if (name.test(focused)) return;
  }
  throw new Error(`nothing that is named ${String(name)} gets the focus`);
}

function scrolledBy(): Promise<number> {
  return page.evaluate<number>('window.scrollY');
}

function widthOfPage(): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
