import type { NewPlant } from '../../src/plants/plant-store.js';

/** A plant with everything that a store keeps of it. */
export interface StoredPlant extends NewPlant {
  /** When it was created, as an ISO 8601 date and time in UTC. */
  readonly createdAt: string;
  /** The name of the token that it was created with. */
  readonly createdBy: string;
}

/** Whether the service would answer that one of them is there already where the other is. */
export function isSamePlant(one: NewPlant, other: NewPlant): boolean {
  return one.id === other.id && one.name === other.name && one.tag === other.tag;
}

/**
 * A line of NDJSON, without its line feed: the one way to write a plant, so that equal plants are equal
 * texts. The id is an exact JSON number.
 */
export function jsonLine({ id, name, tag, createdAt, createdBy }: StoredPlant): string {
  const tagMember = tag === undefined ? '' : `,"tag":${JSON.stringify(tag)}`;
  return `{"id":${id},"name":${JSON.stringify(name)}${tagMember},"created_at":${JSON.stringify(createdAt)},"created_by":${JSON.stringify(createdBy)}}`;
}
