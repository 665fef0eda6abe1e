/**
 * Every id that a load sends has as many digits, so that all of its requests are as long, and is
 * even: the odd ones are for plants that are there before.
 */
export const FIRST_ID = 100_000_000;
export const IDS = 450_000_000;
/** Has no factor in common with IDS, so that its multiples visit every id once. */
const STRIDE = 618_033_989;

const BEFORE_ID = '{"id":';
const AFTER_ID = ',"name":"monkey puzzle in the north garden","tag":"araucaria araucana';
const END = '"}';
const SHORTEST = `${BEFORE_ID}${FIRST_ID}${AFTER_ID}${END}`.length;

export interface PlantRequestOptions {
  readonly port: number;
  readonly token: string;
  /** How long the body is; one that is too short for a plant is as short as a plant can be. */
  readonly bodyBytes: number;
  /** Ids one after the other, or all over the place, as those of many clients are. */
  readonly ids: 'ascending' | 'scattered';
}

/** Returns a function that writes the nth create, counted from 0, each with an id of its own. */
export function createPlantRequest(options: PlantRequestOptions): (n: number) => string {
  const { port, token, bodyBytes, ids } = options;
  const padding = ', evergreen, needs room'
    .repeat(Math.ceil(bodyBytes / 20))
    .slice(0, Math.max(0, bodyBytes - SHORTEST));
  const head = [
    'POST /plants HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Accept: application/json',
    'Content-Type: application/json',
    `Content-Length: ${SHORTEST + padding.length}`,
    '',
    BEFORE_ID,
  ].join('\r\n');
  const tail = `${AFTER_ID}${padding}${END}`;
  const step = ids === 'ascending' ? 1 : STRIDE;
  return (n) => `${head}${FIRST_ID + 2 * ((n * step) % IDS)}${tail}`;
}
