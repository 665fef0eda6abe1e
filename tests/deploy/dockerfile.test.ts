import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { plantsClient } from '../support/contract.js';
import { eventually } from '../support/eventually.js';
import { createFolder } from '../support/service.js';
import { findFreePort } from '../postgres/support/cluster.js';
import { makeRoot } from './base-roots.js';
import { startContainer } from './container.js';
import { readDockerfile } from './dockerfile.js';
import { buildImage, createRootsFolder, type Image } from './image.js';

const REPOSITORY = new URL('../../', import.meta.url).pathname;
const READY_WITHIN_MS = 20_000;
const NOBODY_ELSES_MEGABYTES = 250;

const folder = createRootsFolder();
let image: Image;

beforeAll(() => {
  image = buildImage(readDockerfile(`${REPOSITORY}deploy/Dockerfile`), {
    makeRoot,
    context: REPOSITORY,
    folder: folder.path,
  });
});
afterAll(() => {
  folder.remove();
});

/** A volume as Docker makes it: with the owner and the mode that the image's folder has. */
function createVolume(): string {
  const data = `${createFolder()}/data`;
  mkdirSync(data, { mode: 0o700 });
  const [user, group] = image.user.split(':').map(Number);
  chownSync(data, user ?? 0, group ?? 0);
  return data;
}

it('has the service and what it runs on, and nothing to work with for who breaks in', () => {
  const has = (path: string): boolean => {
    try {
      execFileSync('test', ['-e', `${image.root}${path}`]);
      return true;
    } catch {
      return false;
    }
  };
  expect(['/app/dist/src/main.js', '/usr/local/bin/node'].filter((path) => !has(path))).toEqual([]);
  expect(
    [
      '/bin/sh',
      '/bin/bash',
      '/usr/local/bin/npm',
      '/app/node_modules/typescript',
      '/app/node_modules/@photostructure/sqlite',
      '/app/.git',
      '/app/tests',
    ].filter(has),
  ).toEqual([]);
  const megabytes = Number(
    execFileSync('du', ['-sm', image.root], { encoding: 'utf8' }).split('\t')[0],
  );
  const ours = Number(
    execFileSync('du', ['-sm', `${image.root}/app`], { encoding: 'utf8' }).split('\t')[0],
  );
  console.log(`the image has ${megabytes} MB, of which ${ours} MB are in /app`);
  expect(megabytes).toBeLessThan(NOBODY_ELSES_MEGABYTES);
});

it('serves as a user without rights on a root that is read-only, is healthy, and stops in order on SIGTERM', async () => {
  const data = createVolume();
  const port = await findFreePort();
  const env = { PORT: String(port) };
  const container = startContainer(image, data, env);
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    async () =>
      (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true ? true : undefined,
    READY_WITHIN_MS,
  );
  const token = readFileSync(`${data}/first-token`, 'utf8').trim();
  const api = plantsClient(url, { headers: { Authorization: `Bearer ${token}` } });

  const created = await api.createPlant({ body: { id: 1n, name: 'fern' } });

  expect(created.status).toBe(200);
  expect(await startContainer(image, data, env, image.healthCheck).exited).toBe(0);

  container.signal('SIGTERM');

  expect(await container.exited).toBe(0);
  const messages = container.output.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages.slice(-2)).toEqual(['stopping', 'stopped']);
  expect(await startContainer(image, data, env, image.healthCheck).exited).toBe(1);
});

it('serves metrics, and sends them and traces to a collector, where settings say so', async () => {
  const collector = createServer((req, res) => {
    sent.push(req.url ?? '');
    req.resume();
    res.end();
  }).listen(0, '127.0.0.1');
  const sent: string[] = [];
  await once(collector, 'listening');
  const { port: collectorPort } = collector.address() as AddressInfo; // it listens on a port
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const container = startContainer(image, createVolume(), {
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
  });
  const metricsOf = async (): Promise<string | undefined> => {
    await fetch(`http://127.0.0.1:${port}/plants`, { method: 'POST' });
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const text = await response.text();
    return text.includes('http_server_request_duration') ? text : undefined;
  };

  const metrics = await eventually(() => metricsOf().catch(() => undefined), READY_WITHIN_MS);
  container.signal('SIGTERM');
  await container.exited;
  collector.close();

  expect(metrics).toContain('http_response_status_code="401"');
  expect(new Set(sent)).toEqual(new Set(['/v1/metrics', '/v1/traces']));
});

it('can write nothing but its data', async () => {
  const code = `
    import { writeFileSync } from 'node:fs';
    for (const path of ['/app/x', '/tmp/x', '/x', '/data/x'])
      try { writeFileSync(path, ''); console.log(path); } catch ({ code }) { console.log(code); }
    console.log(process.getuid());`;
  const [node = ''] = image.entrypoint;

  const container = startContainer(image, createVolume(), {}, [
    node,
    '--input-type=module',
    '--eval',
    code,
  ]);

  expect(await container.exited).toBe(0);
  expect(container.output.slice(-2)).toEqual(['/data/x', '65532']);
  expect(
    container.output.slice(0, 3).filter((code) => !['EROFS', 'EACCES', 'ENOENT'].includes(code)),
  ).toEqual([]);
});
