/**
 * The load, in a process of its own: each request is a create of a plant with an id of its own. It
 * knows no more HTTP than that needs, so that it isn't the slower side.
 *
 * Several servers take short turns, each turn in another order, so that what a machine does beside the
 * measurement, which comes and goes within seconds, meets all of them alike.
 */
import { TargetLoad, type Target, type TargetLoadOptions } from './target-load.js';

export interface LoadOptions extends TargetLoadOptions {
  readonly targets: readonly Target[];
  /** Of each server's first turn. */
  readonly warmUpMs: number;
  /** Of each server, all of its turns taken together. */
  readonly measureMs: number;
  readonly turns: number;
}

/** How long a server that is warm gets to have all connections at work. */
const SETTLE_MS = 30;

const options = JSON.parse(process.argv[2] ?? '') as LoadOptions;
const { turns, warmUpMs, measureMs } = options;
const loads = options.targets.map((target) => new TargetLoad(target, options));
for (let turn = 0; turn < turns; turn++) {
  const first = turn % loads.length;
  for (const load of [...loads.slice(first), ...loads.slice(0, first)]) {
    await load.takeTurn(turn === 0 ? warmUpMs : SETTLE_MS, measureMs / turns);
  }
}
console.log(JSON.stringify(loads.map((load) => load.result())));
