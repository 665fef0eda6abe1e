import { createHash } from 'node:crypto';
import type { PlantWriter } from '../plants/plant-writer.js';
import type { Snapshot } from '../plants/snapshot.js';
import { jsonLine, type StoredPlant } from '../plants/stored-plant.js';

/** What one pass over two stores has found, as both were when it began. */
export interface Pass {
  readonly source: Content;
  readonly target: Content;
  /** How many plants the target hadn't, and has now. */
  readonly copied: number;
  /** How many have an id of the source, and are other plants or of another time or token. */
  readonly different: number;
  /** How many have an id that the source hasn't. */
  readonly extra: number;
  /** Ids of some of those that are different. */
  readonly examples: readonly bigint[];
}

/** What is in a store: how many plants, and the SHA-256 of all of them as an export in NDJSON has them. */
export interface Content {
  readonly count: number;
  readonly sha256: string;
}

const MAX_EXAMPLES = 10;

/**
 * Copies the plants that the target hasn't, and compares those that it has: one walk through both, by id.
 * @param onRead is told how many plants of the source have been read
 * @throws StopError where a store can't be read or written
 */
export async function copyMissing(
  source: Snapshot,
  target: Snapshot,
  writer: PlantWriter,
  onRead: (count: number) => void,
): Promise<Pass> {
  const sourceContent = createDigest();
  const targetContent = createDigest();
  const targetPlants = plantsOf(target);
  const examples: bigint[] = [];
  let copied = 0;
  let different = 0;
  let extra = 0;
  let other = await next();

  async function next(): Promise<(StoredPlant & { line: string }) | undefined> {
    const { value } = await targetPlants.next();
    if (value === undefined) return undefined;
    const line = jsonLine(value);
    targetContent.add(line);
    return { ...value, line };
  }

  for await (const page of source.pages()) {
    const missing: StoredPlant[] = [];
    for (const plant of page) {
      const line = jsonLine(plant);
      sourceContent.add(line);
      for (; other !== undefined && other.id < plant.id; other = await next()) extra++;
      if (other?.id !== plant.id) {
        missing.push(plant);
        continue;
      }
      if (other.line !== line) {
        different++;
        if (examples.length < MAX_EXAMPLES) examples.push(plant.id);
      }
      other = await next();
    }
    if (missing.length > 0) await writer.insert(missing);
    copied += missing.length;
    onRead(page.length);
  }
  for (; other !== undefined; other = await next()) extra++;

  return {
    source: sourceContent.end(),
    target: targetContent.end(),
    copied,
    different,
    extra,
    examples,
  };
}

async function* plantsOf(snapshot: Snapshot): AsyncGenerator<StoredPlant, undefined> {
  for await (const page of snapshot.pages()) yield* page;
}

/** Enough for a call of the hash to cost little beside its work. */
const HASHED_CHARACTERS = 65_536;

function createDigest() {
  const hash = createHash('sha256');
  let count = 0;
  let text = '';
  return {
    add(line: string): void {
      count++;
      text += `${line}\n`;
      if (text.length < HASHED_CHARACTERS) return;
      hash.update(text);
      text = '';
    },
    end: (): Content => ({ count, sha256: hash.update(text).digest('hex') }),
  };
}
