import type { Service } from '../../support/service.js';

/** The metrics that a service exposes, each with the names of its labels. */
export type Exposed = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads what a service exposes at an address. */
export async function exposedAt(metricsUrl: string): Promise<Exposed> {
  const text = await (await fetch(metricsUrl)).text();
  const exposed = new Map<string, Set<string>>();
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+)/gm)) exposed.set(name, new Set());
  for (const [, sample = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = exposed.get(sample) ?? exposed.get(sample.replace(/_(bucket|sum|count)$/, ''));
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known?.add(label);
  }
  return exposed;
}

/** Where a service that has METRICS_PORT serves its metrics. */
export async function metricsUrlOf(service: Service): Promise<string> {
  const { metricsUrl } = await service.logged({ msg: 'serving metrics' });
  return String(metricsUrl);
}
