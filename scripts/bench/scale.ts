/**
 * `npm run bench:scale`: what a request costs as the contract grows, as the store fills, and as time
 * goes by.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readCommandLine, readCount, readCounts } from '../command-line.js';
import { compilePrograms } from './process/compile.js';
import { readMachine } from './process/machine.js';
import { installPackages } from './process/packages.js';
import { showSpread } from './report/spread.js';
import { textTable } from './report/table.js';
import { machineLine } from './report/text.js';
import { measureContractSizes } from './scale/contract-size.js';
import { measureRows, type Rows } from './scale/rows.js';
import { measureTime } from './scale/time.js';

const USAGE = `usage: npm run bench:scale -- [option...]
  --only contract,rows,time
  --operations 1,10,100,1200  sizes of the contract
  --rows 7                    up to 10 to this power of rows, from 10^3 on
  --requests 1000000          to one process
  --rounds 3                  of each size of contract and store
  --seconds 3                 each
  --json FILE`;

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: 'contract,rows,time' },
      operations: { type: 'string', default: '1,10,100,1200' },
      rows: { type: 'string', default: '7' },
      requests: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      json: { type: 'string' },
    },
  });
  return {
    only: values.only.split(','),
    operations: readCounts('operations', values.operations, 10_000),
    rows: readCount('rows', values.rows, 7),
    requests: readCount('requests', values.requests, 100_000_000),
    rounds: readCount('rounds', values.rounds, 100),
    measureMs: readCount('seconds', values.seconds, 600) * 1000,
    json: values.json,
  };
}

async function run(options: ReturnType<typeof readOptions>): Promise<void> {
  const { only, rounds, measureMs } = options;
  const load = {
    connections: 64,
    bodyBytes: 100,
    ids: 'ascending',
    warmUpMs: 2000,
    measureMs,
  } as const;
  installPackages();
  await compilePrograms();
  const machine = readMachine();
  console.log(`${machineLine(machine)}; medians (least-most)\n`);

  const contractSizes = only.includes('contract')
    ? await measureContractSizes(options.operations, rounds, load)
    : [];
  const contractRows = contractSizes.map(
    ({ program, operations, cpuMicrosPerRequest, residentMb }) => {
      const [smallest] = contractSizes.filter((one) => one.program === program);
      return [
        `${program}, ${operations} operations`,
        showSpread(cpuMicrosPerRequest, 1),
        times(cpuMicrosPerRequest.median, smallest?.cpuMicrosPerRequest.median),
        showSpread(residentMb, 0),
      ];
    },
  );
  print(['contract', 'CPU µs per request', 'of the first', 'memory MB'], contractRows);

  const stored: Rows[] = [];
  for (let power = 3; only.includes('rows') && power <= options.rows; power++) {
    stored.push(await measureRows(10 ** power, rounds, load));
  }
  const storedRows = stored.map((rows) => [
    `${rows.rowsBefore} rows before, ${rows.rowsAfter} after`,
    showSpread(rows.cpuMicrosPerRequest, 1),
    times(rows.cpuMicrosPerRequest.median, stored[0]?.cpuMicrosPerRequest.median),
    showSpread(rows.p99Ms, 1),
    showSpread(rows.residentMb, 0),
  ]);
  print(['store', 'CPU µs per request', 'of the first', 'p99 ms', 'memory MB'], storedRows);

  const time = only.includes('time') ? await measureTime(options.requests, load) : [];
  const timeRows = time.map((span) => [
    `until request ${span.requests}`,
    span.requestsPerSecond.toFixed(0),
    span.cpuMicrosPerRequest.toFixed(1),
    span.residentMb.toFixed(0),
    times(span.residentMb, time[0]?.residentMb),
  ]);
  print(['one process', 'requests/s', 'CPU µs per request', 'memory MB', 'of the first'], timeRows);

  if (options.json !== undefined) {
    const report = { machine, contractSizes, stored, time };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
}

function print(head: string[], rows: string[][]): void {
  if (rows.length > 0) console.log(`${textTable([head, ...rows])}\n`);
}

function times(figure: number, first = NaN): string {
  return `${(figure / first).toFixed(2)} x`;
}

await run(readCommandLine(USAGE, readOptions));
