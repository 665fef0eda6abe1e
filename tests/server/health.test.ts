import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { type Express } from 'express';
import request from 'supertest';
import { openDatabase } from '../../src/plants/sqlite-driver.js';
import { openSqlitePlantStore } from '../../src/plants/sqlite-plant-store.js';
import { createHealthRouter, type HealthOptions } from 'contract-server';
import { createFolder } from '../support/service.js';

let cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  cleanUps = [];
});

function createApp(options: Partial<HealthOptions>): Express {
  const defaults = { isStopping: () => false, checkWritable: ready };
  return express().use(createHealthRouter({ ...defaults, ...options }));
}

function ready(): Promise<void> {
  return Promise.resolve();
}

function notReady(): Promise<void> {
  return Promise.reject(new Error('the disk of /var/lib is full'));
}

describe('GET /healthz', () => {
  it.each([
    ['ready', ready],
    ['not ready', notReady],
  ])(
    'answers 200 as long as the process lives, also when it is %s',
    async (_case, checkWritable) => {
      const response = await request(createApp({ checkWritable })).get('/healthz');

      expect(response.status).toBe(200);
      expect(response.type).toBe('application/json');
      expect(response.body).toEqual({ status: 'alive' });
    },
  );

  it('never asks whether the service is ready', async () => {
    let checks = 0;
    const app = createApp({ checkWritable: () => (checks++, ready()) });

    await request(app).get('/healthz');

    expect(checks).toBe(0);
  });
});

describe('GET /readyz', () => {
  it('answers 200 where the check passes', async () => {
    const response = await request(createApp({ checkWritable: ready })).get('/readyz');

    expect(response.status).toBe(200);
    expect(response.type).toBe('application/json');
    expect(response.body).toEqual({ status: 'ready' });
  });

  it('answers 503 with Retry-After where the check fails, and does not say why', async () => {
    const response = await request(createApp({ checkWritable: notReady })).get('/readyz');

    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.type).toBe('application/json');
    expect(response.body).toEqual({ status: 'not ready' });
  });

  it('shares one check among the probes of a second, and then checks again', async () => {
    let time = 5000;
    let checks = 0;
    const app = createApp({
      now: () => time,
      checkWritable: () => (checks++ === 0 ? ready() : notReady()),
    });
    const probe = async (at: number): Promise<[number, number]> => {
      time = at;
      const { status } = await request(app).get('/readyz');
      return [status, checks];
    };

    expect(await probe(5000)).toEqual([200, 1]);
    expect(await probe(5999)).toEqual([200, 1]);
    expect(await probe(6000)).toEqual([503, 2]);
    expect(await probe(6999)).toEqual([503, 2]);
    expect(await probe(7000)).toEqual([503, 3]);
  });

  it('says once why it is not ready, and once that it is again', async () => {
    let time = 0;
    let check = ready;
    const changes: unknown[] = [];
    const app = createApp({
      now: () => time,
      checkWritable: () => check(),
      onChange: (failure) => changes.push(failure),
    });

    for (check of [ready, notReady, notReady, ready, ready]) {
      time += 1000;
      await request(app).get('/readyz');
    }

    expect(changes).toEqual([new Error('the disk of /var/lib is full'), undefined]);
  });

  it('shares a check that is still running', async () => {
    let checks = 0;
    let pass = (): void => undefined;
    const health = createHealthRouter({
      isStopping: () => false,
      now: () => 0,
      checkWritable: () => {
        checks++;
        return new Promise((resolve) => (pass = resolve));
      },
    });
    let arrived = 0;
    const app = express().use((req, res, next) => {
      health(req, res, next);
      if (++arrived === 2) pass();
    });

    const probes = [request(app).get('/readyz'), request(app).get('/readyz')];

    expect((await Promise.all(probes)).map(({ status }) => status)).toEqual([200, 200]);
    expect(checks).toBe(1);
  });

  it.each([
    ['/readyz/', 'get'],
    ['/Readyz', 'get'],
    ['/readyz', 'post'],
  ] as const)('leaves %s by %s to what comes after it', async (path, method) => {
    const app = createApp({ checkWritable: ready });
    app.use((_req, res) => res.status(418).end());

    const response = await request(app)[method](path);

    expect(response.status).toBe(418);
  });

  it('answers 503 while another process holds the lock of the store, and 200 after it', async () => {
    const folder = createFolder();
    const path = join(folder, 'plants.db');
    const store = openSqlitePlantStore(path);
    const other = openDatabase(path);
    cleanUps.push(
      () => {
        rmSync(folder, { recursive: true });
      },
      () => store.close(),
      () => {
        other.close();
      },
    );
    let time = 0;
    const app = createApp({ now: () => time, checkWritable: () => store.checkWritable() });
    other.exec('BEGIN IMMEDIATE');

    const locked = await request(app).get('/readyz');
    other.exec('ROLLBACK');
    time = 1000;
    const unlocked = await request(app).get('/readyz');

    expect([locked.status, unlocked.status]).toEqual([503, 200]);
  });

  it('answers 503 from the moment the service stops, whatever the last check said', async () => {
    let isStopping = false;
    const app = createApp({ isStopping: () => isStopping });
    await request(app).get('/readyz');

    isStopping = true;
    const response = await request(app).get('/readyz');

    expect(response.status).toBe(503);
  });
});
