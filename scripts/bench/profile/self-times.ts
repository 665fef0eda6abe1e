import { groupOf } from './group.js';

/** What V8's profiler writes, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** The node that was on top of the stack, at each sample. */
  readonly samples: readonly number[];
  /** The microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** A function as it was called from somewhere; the first node is the root of all. */
interface ProfileNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  readonly children?: readonly number[];
}

export interface CallFrame {
  readonly functionName: string;
  /** Empty for what V8 has built in and for what a program has made by `new Function`. */
  readonly url: string;
  readonly lineNumber: number;
}

export interface SelfTimes {
  /** Microseconds by group, and by function; most first. Idling is in neither. */
  readonly groups: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
  readonly idleShare: number;
}

/** Adds up, for each function by itself and for each group of them, the time on top of the stack. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): SelfTimes {
  const places = placeNodes(nodes);
  const groups = new Map<string, number>();
  const functions = new Map<string, number>();
  let idle = 0;
  let all = 0;
  for (const [index, id] of samples.entries()) {
    // A sample stands for the time until the next one.
    const micros = timeDeltas[index + 1] ?? 0;
    all += micros;
    const place = places.get(id);
    if (place === undefined) continue;
    if (place.group === '(idle)') {
      idle += micros;
      continue;
    }
    add(groups, place.group, micros);
    add(functions, place.name, micros);
  }
  return { groups: mostFirst(groups), functions: mostFirst(functions), idleShare: idle / all };
}

/** Each node's group and name, by its id. */
function placeNodes(nodes: readonly ProfileNode[]): Map<number, { group: string; name: string }> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const places = new Map<number, { group: string; name: string }>();
  const queue = nodes.slice(0, 1).map((node) => ({ node, caller: 'node' }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { id, callFrame, children = [] } = next.node;
    const group = groupOf(callFrame, next.caller);
    places.set(id, { group, name: nameOf(callFrame, group) });
    const caller = group === '(root)' ? 'node' : group;
    for (const child of children) {
      const node = byId.get(child);
      if (node !== undefined) queue.push({ node, caller });
    }
  }
  return places;
}

function nameOf({ functionName, url, lineNumber }: CallFrame, group: string): string {
  if (functionName.startsWith('(')) return functionName;
  const path = url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/dist\//, '');
  return `${functionName || '(anonymous)'}, ${url === '' ? group : `${path}:${lineNumber + 1}`}`;
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

function mostFirst(sums: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...sums].sort(([, a], [, b]) => b - a));
}
