import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { isObject } from '../document/document.js';
import { readContract } from '../document/read-contract.js';
import { createMockApp } from '../mock/mock-app.js';
import { mockErrorBody } from '../mock/mock-error-body.js';
import { runService } from '../service/run.js';
import { SERVICE_SETTINGS } from '../service/settings.js';
import { CONTRACT, UsageError, type Command } from '../command.js';

export const mock: Command = {
  summary: 'serves a contract from its examples, or from values that are made',
  usage: `usage: contract-server mock [CONTRACT] [--host HOST] [--port PORT] [--handlers FILE]
  CONTRACT         the contract; if left out, ${CONTRACT}
  --host HOST      the address to listen on; if left out, HOST, or 127.0.0.1
  --port PORT      the port to listen on, 0 for any that is free; if left out, PORT, or 3000
  --handlers FILE  a module whose \`handlers\`, or default export, answer the operations that they name
Requests and answers are checked by the contract. Any credentials of the right form are accepted.`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        host: { type: 'string' },
        port: { type: 'string' },
        handlers: { type: 'string' },
      },
    });
    const [contract = CONTRACT, ...others] = positionals;
    if (others.length > 0)
      throw new UsageError(`mock takes one contract, not ${positionals.join(', ')}`);
    const document = await readContract(contract);
    const handlers = values.handlers === undefined ? {} : await importHandlers(values.handlers);
    if (values.host !== undefined) process.env.HOST = values.host;
    if (values.port !== undefined) process.env.PORT = values.port;
    await runService({
      settings: SERVICE_SETTINGS,
      errorBody: mockErrorBody({ document }),
      async open(start) {
        start.logger.warn(
          'a mock: any credentials of the right form are accepted, and nothing is stored',
        );
        return { contract: document, app: await createMockApp({ ...start, document, handlers }) };
      },
    });
    return 0;
  },
};

/** @throws UsageError where the module has no handlers */
async function importHandlers(file: string): Promise<Readonly<Record<string, unknown>>> {
  const module: unknown = await import(pathToFileURL(resolve(file)).href).catch(
    (error: unknown) => {
      throw new UsageError(`${file} can't be imported: ${String(error)}`);
    },
  );
  const { handlers, default: others } = isObject(module) ? module : {};
  const found = handlers ?? others;
  if (!isObject(found))
    throw new UsageError(`${file} has no export "handlers", and no default one`);
  return found;
}
