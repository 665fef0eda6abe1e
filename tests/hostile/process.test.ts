import { afterEach, describe, expect, it } from '@jest/globals';
import { connect, rawCreate, type RawConnection } from '../support/raw-http.js';
import { storedPlants } from '../support/database.js';
import { startService, type Service } from '../support/service.js';

let service: Service;
let connections: RawConnection[] = [];

afterEach(async () => {
  for (const connection of connections) connection.destroy();
  connections = [];
  await service.kill();
});

async function open(): Promise<RawConnection> {
  const connection = await connect(service.url, { check: undefined });
  connections.push(connection);
  return connection;
}

describe('a process that is stopped, and goes on', () => {
  it('answers what came meanwhile', async () => {
    service = await startService();
    const before = await open();
    before.send(rawCreate(service.token, '{"id":1,"name":"fern"}').slice(0, -5));

    service.process.kill('SIGSTOP');
    before.send('ern"}');
    const meanwhile = await open();
    meanwhile.send(rawCreate(service.token, '{"id":2,"name":"oak"}'));
    service.process.kill('SIGCONT');

    expect((await before.response()).status).toBe(200);
    expect((await meanwhile.response()).status).toBe(200);
    await service.kill();
    expect(storedPlants(`${service.folder}/plants.db`).map(({ id }) => id)).toEqual([1n, 2n]);
  });
});

describe('a process with a heap of 64 MB', () => {
  it('survives 200 bodies of a megabyte at once', async () => {
    service = await startService({ NODE_OPTIONS: '--max-old-space-size=64' });
    const body = `{"id":1,"name":"fern","x":"${'a'.repeat(1_000_000)}"}`;
    const opened = await Promise.all(Array.from({ length: 200 }, open));

    for (const connection of opened) connection.send(rawCreate(service.token, body));
    const responses = await Promise.allSettled(opened.map((connection) => connection.response()));

    const statuses = responses.map((one) =>
      one.status === 'fulfilled' ? one.value.status : String(one.reason).slice(0, 80),
    );
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await service.api.request.get('/healthz')).status).toBe(200);
  });
});
