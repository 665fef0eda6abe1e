import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { createFolder, startService, type Service } from '../support/service.js';
import { findFreePort } from '../postgres/support/cluster.js';
import { metricsUrlOf } from './support/metric-names.js';

const ALERTS = new URL('../../deploy/prometheus/alerts.yml', import.meta.url).pathname;
const WITHIN_MS = 30_000;

interface Answer {
  readonly data: {
    readonly result: readonly { readonly metric: object; value: [number, string] }[];
  };
}

describe('Prometheus', () => {
  let service: Service;
  let prometheus: ChildProcess;
  let url: string;

  beforeAll(async () => {
    service = await startService({ METRICS_PORT: '0' });
    const folder = createFolder();
    const target = new URL(await metricsUrlOf(service)).host;
    writeFileSync(
      `${folder}/prometheus.yml`,
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [ALERTS],
        scrape_configs: [{ job_name: 'plant-store', static_configs: [{ targets: [target] }] }],
      }),
    );
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: 'inherit' },
    );
    await eventually(async () => ((await isReady()) ? true : undefined), WITHIN_MS);
  });

  afterAll(async () => {
    const exited = once(prometheus, 'exit');
    prometheus.kill();
    await Promise.all([exited, service.kill()]);
  });

  async function isReady(): Promise<boolean> {
    try {
      return (await fetch(`${url}/-/ready`)).ok;
    } catch {
      return false;
    }
  }

  /** The values that a query has, once it has any that are not zero. */
  async function query(promql: string): Promise<Record<string, number>> {
    return eventually(async () => {
      const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(promql)}`);
      const { data } = (await response.json()) as Answer;
      const values = data.result.map(
        ({ metric, value }) => [Object.values(metric).join(' '), Number(value[1])] as const,
      );
      return values.some(([, value]) => value > 0) ? Object.fromEntries(values) : undefined;
    }, WITHIN_MS);
  }

  it('scrapes the service, and answers what dashboards and alerts ask', async () => {
    expect(await query('sum(up{job="plant-store"})')).toEqual({ '': 1 });

    for (let id = 1n; id <= 20n; id++)
      await service.api.createPlant({ body: { id, name: 'fern' } });
    await service.api.createPlant({ body: { id: 1n, name: 'moss' } });
    await fetch(`${service.url}/plants`, { method: 'POST' });

    const count = 'http_server_request_duration_seconds_count{http_route="/plants"}';
    expect(await query(`sum by (http_response_status_code) (${count}) > 0`)).toMatchObject({
      '200': 20,
      '409': 1,
      '401': 1,
    });
    expect(
      await query('sum by (contract_error_code) (contract_server_refusals_total) > 0'),
    ).toEqual({ '40101': 1 });
    expect(await query('sum(store_commit_size_sum)')).toEqual({ '': 21 });
  });

  it('knows quantiles', async () => {
    await service.api.createPlant({ body: { id: 99n, name: 'fern' } });

    const quantile = await query(
      'histogram_quantile(0.99, sum by (le) (rate(http_server_request_duration_seconds_bucket{http_route="/plants"}[1m])))',
    );

    expect(Object.values(quantile)[0]).toBeGreaterThan(0);
  });

  it('loads the alerts, none of which fires', async () => {
    const { data } = (await (await fetch(`${url}/api/v1/rules`)).json()) as {
      data: { groups: { rules: { name: string; health: string; state: string }[] }[] };
    };

    const rules = data.groups.flatMap((group) => group.rules);
    expect(rules.length).toBe(10);
    expect(rules.filter(({ health }) => health === 'err')).toEqual([]);
    expect(rules.filter(({ state }) => state === 'firing')).toEqual([]);
  });
});
