/** A service whose streams go on until it stops; with STUBBORN set, some of them for longer. */
import { once } from 'node:events';
import {
  createContractApp,
  readContract,
  runService,
  SERVICE_SETTINGS,
  STREAM_SETTINGS,
  type ApiError,
} from 'contract-server';

interface Stream {
  readonly body: AsyncIterable<unknown>;
  readonly signal: AbortSignal;
}

const errorBody = ({ code, message }: ApiError) => ({ error: code, message });
const reading = (id: bigint) => ({ id, value: 1 });
async function* watch({ signal }: Stream) {
  yield { event: 'measured', data: reading(1n) };
  await once(signal, 'abort');
  yield { event: 'end', data: 'too late' };
}

async function* listReadings({ signal }: Stream) {
  yield reading(1n);
  await once(signal, 'abort');
  if (process.env.STUBBORN !== undefined) await once(process, 'a day that never comes');
  yield reading(2n);
}

async function addReadings({ body }: Stream) {
  for await (const item of body) console.log(JSON.stringify({ msg: 'item', id: String(item) }));
  return { status: 204 };
}

await runService({
  settings: { ...SERVICE_SETTINGS, ...STREAM_SETTINGS },
  errorBody,
  async open(start) {
    const file = new URL('../../../../tests/fixtures/streams.yaml', import.meta.url).pathname;
    const document = await readContract(file);
    const done = () => Promise.resolve({ status: 204 });
    const app = await createContractApp<Record<string, never>, unknown>({
      ...start,
      document,
      handlers: {
        watch: (request: Stream) => ({ status: 200, body: watch(request) }),
        listReadings: (request: Stream) => ({
          status: 200,
          contentType: 'application/jsonl',
          body: listReadings(request),
        }),
        addReadings,
        ...{ addCounts: done, addEvents: done, addNotes: done },
      },
      strategies: {},
      errorBody,
    });
    return { app, contract: document };
  },
});
