/** The oldest Node that `engines` in package.json admits. */
const OLDEST = { major: 20, minor: 19 };

/**
 * Why the service can't run here, in a line for people; undefined where it can.
 * @param versions as `process.versions`
 */
export function runtimeProblem(
  versions: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { node = '', bun, deno } = versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isNewEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  // Bun and Deno say which Node they resemble, but bring a SQLite and an HTTP server of their own.
  if (isNewEnough && bun === undefined && deno === undefined) return undefined;
  const found = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node.js ${node}`;
  return `Plant Store needs Node.js ${OLDEST.major}.${OLDEST.minor} or newer; this is ${found}`;
}
