import { OURS } from '../process/contestants.js';
import { runLoad, type RoundOptions } from '../load/round.js';
import { startServer } from '../process/server.js';

/** What one process took for its requests from the last row's to this one's. */
export interface TimeSpan {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly residentMb: number;
}

const SPANS = 10;
/** Far longer than it takes; the number of requests is what ends it. */
const MAX_MS = 1_800_000;

/** Sends one process so many requests; a tenth of them each row. */
export async function measureTime(requests: number, load: RoundOptions): Promise<TimeSpan[]> {
  const server = await startServer(OURS);
  try {
    const { checkpoints } = await runLoad(server, {
      ...load,
      warmUpMs: 0,
      measureMs: MAX_MS,
      maxRequests: requests,
      checkpointEvery: Math.ceil(requests / SPANS),
    });
    return checkpoints.map((here, index) => {
      const before = checkpoints[index - 1] ?? { answered: 0, seconds: 0, cpuMicros: 0 };
      const answered = here.answered - before.answered;
      return {
        requests: here.answered,
        requestsPerSecond: answered / (here.seconds - before.seconds),
        cpuMicrosPerRequest: (here.cpuMicros - before.cpuMicros) / answered,
        residentMb: here.residentMb,
      };
    });
  } finally {
    await server.stop();
  }
}
