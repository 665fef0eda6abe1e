import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { startService, type Service } from '../support/service.js';
import { exposedAt, metricsUrlOf, type Exposed } from './support/metric-names.js';

const DEPLOY = new URL('../../deploy/', import.meta.url);
const ALERTS = new URL('prometheus/alerts.yml', DEPLOY).pathname;
const DASHBOARD = new URL('grafana/plant-store.json', DEPLOY);
const text = (url: URL | string): string => readFileSync(url, 'utf8');

const { groups } = parse(text(ALERTS)) as {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(text(DASHBOARD)) as {
  panels: { title: string; targets: { expr: string }[] }[];
};

describe('deploy/prometheus/alerts.yml', () => {
  it('is what promtool takes, and fires where its unit tests say', () => {
    const run = (...args: string[]): string =>
      execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' });

    expect(run('check', 'rules', ALERTS)).toContain('SUCCESS');
    expect(run('test', 'rules', ALERTS.replace('.yml', '.test.yml'))).toContain('SUCCESS');
  });

  it('has a unit test that fires for each alert, and one that doesn’t', () => {
    const { tests } = parse(text(ALERTS.replace('.yml', '.test.yml'))) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const cases = tests.flatMap((one) => one.alert_rule_test);
    const namesWhere = (fires: boolean): string[] =>
      cases.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname);

    expect(rules.filter(({ alert }) => !namesWhere(true).includes(alert))).toEqual([]);
    expect(rules.filter(({ alert }) => !namesWhere(false).includes(alert))).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s is in the runbook',
    (name, rule) => {
      expect(rule.annotations.runbook).toBe(`docs/runbook.md#${name.toLowerCase()}`);
      expect(text(new URL('../docs/runbook.md', DEPLOY))).toContain(`\n### ${name}\n`);
    },
  );
});

describe('what the service exposes', () => {
  let service: Service;
  let exposed: Exposed;

  beforeAll(async () => {
    service = await startService({ METRICS_PORT: '0' });
    await service.api.createPlant({ body: { id: 1n, name: 'fern' } });
    await service.api.createPlant({ body: { id: 1n, name: 'moss' } });
    await fetch(`${service.url}/plants`, { method: 'POST' });
    exposed = await exposedAt(await metricsUrlOf(service));
  });

  afterAll(() => service.kill());

  it('is every metric in docs/telemetry.md, under both names, with these labels, and no other', () => {
    const rows = [
      ...text(new URL('../docs/telemetry.md', DEPLOY)).matchAll(
        /^\| `([a-z0-9_.]+)` +\| `([a-z0-9_]+)` +\| (.*?) +\|/gm,
      ),
    ];
    const documented = rows.map(([, otel = '', prometheus = '', attributes = '']) => {
      expect(prometheus).toMatch(new RegExp(`^${otel.replaceAll('.', '_')}(_[a-z]+)*$`));
      return [
        prometheus,
        [...attributes.matchAll(/`(.*?)`/g)].map(([, name = '']) => name.replaceAll('.', '_')),
      ] as const;
    });

    expect(documented.map(([name]) => name).sort()).toEqual(
      [...exposed.keys()].filter((name) => name !== 'target_info').sort(),
    );
    for (const [name, labels] of documented) {
      const beyond = [...(exposed.get(name) ?? [])].filter(
        (label) => label !== 'le' && !labels.includes(label),
      );
      expect({ name, beyond }).toEqual({ name, beyond: [] });
    }
  });

  it.each([
    ...rules.map(({ alert, expr }) => [`the alert ${alert}`, expr] as const),
    ...panels.map(
      ({ title, targets }) => [title, targets.map(({ expr }) => expr).join(' ')] as const,
    ),
  ])('is all that is asked for by %s', (_name, expr) => {
    const metrics = [...expr.matchAll(/([a-z]\w*)\{([^}]*)\}/g)];
    const unknown = metrics.flatMap(([, name = '', labels = '']) => {
      if (name === 'up') return [];
      const known = exposed.get(name) ?? exposed.get(name.replace(/_(bucket|sum|count)$/, ''));
      if (known === undefined) return [name];
      const asked = [...labels.matchAll(/(\w+)(?:!=|=~|=)"/g)].map(([, label = '']) => label);
      return asked
        .filter((label) => !['job', 'instance'].includes(label) && !known.has(label))
        .map((label) => `${name}{${label}}`);
    });

    expect(metrics.length).toBeGreaterThan(0);
    expect(unknown).toEqual([]);
  });
});

it('the dashboard is one that Grafana knows how to import', () => {
  expect(existsSync(DASHBOARD)).toBe(true);
  expect(JSON.parse(text(DASHBOARD))).toMatchObject({
    uid: 'plant-store',
    schemaVersion: 39,
    templating: { list: expect.arrayContaining([expect.objectContaining({ name: 'datasource' })]) },
  });
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
});
