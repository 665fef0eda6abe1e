/**
 * What every contestant finds in its environment; ours finds the same as DATABASE_URL and
 * TOKENS_FILE. It listens on 127.0.0.1 and keeps its plants in a table `plants` of `databaseFile`, or of the
 * PostgreSQL database that DATABASE_URL names.
 */
export interface Setup {
  readonly port: number;
  readonly databaseFile: string;
  readonly token: string;
}

/** A NewPlant of the contract, as JSON.parse reads it. */
export interface PlantBody {
  id: number;
  name: string;
  tag?: string;
}

/** What the contract says of a name and a tag, for those who don't read the contract. */
export const TEXT_PATTERN = '^[^\\u0000]*$';

export function readSetup(): Setup & { databaseUrl: string } {
  const { PORT, DATABASE_FILE, DATABASE_URL, TOKEN } = process.env;
  if (!PORT || !DATABASE_FILE || !DATABASE_URL || !TOKEN) {
    throw new Error('started by `npm run bench` only');
  }
  return {
    port: Number(PORT),
    databaseFile: DATABASE_FILE,
    databaseUrl: DATABASE_URL,
    token: TOKEN,
  };
}

export function setupEnv({ port, databaseFile, token }: Setup): Record<string, string> {
  return { PORT: String(port), DATABASE_FILE: databaseFile, TOKEN: token };
}
