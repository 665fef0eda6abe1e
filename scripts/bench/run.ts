/** `npm run bench`: ours beside other ways to do the same whole job, in one run. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readCommandLine } from './command-line.js';
import { OURS, type Contestant } from './contestants.js';
import { lapsesOf, probeEnforcement } from './load/enforcement.js';
import { readMachine } from './load/machine.js';
import { runPasses } from './load/passes.js';
import { readOptions, USAGE, type Options } from './options.js';
import { compilePrograms } from './process/compile.js';
import { installPackages } from './process/packages.js';
import type { BenchReport, ReportedContestant } from './report/bench-report.js';
import { chart } from './report/chart.js';
import { markdownReport } from './report/markdown.js';
import { summarise } from './report/summary.js';
import { enforcementTable, loaderWarning, machineLine, resultTable } from './report/text.js';

async function measure(options: Options): Promise<BenchReport> {
  const deadline = performance.now() + options.deadlineMs;
  installPackages();
  await compilePrograms();
  const probed = new Map<Contestant, ReportedContestant>();
  for (const contestant of options.contestants) {
    const { name, about, must } = contestant;
    try {
      const statuses = await probeEnforcement(contestant);
      const lapses = [
        ...lapsesOf(statuses),
        ...(contestant.checksResponses ? [] : ['its own responses']),
      ];
      probed.set(contestant, {
        name,
        about,
        ...(must !== undefined && { must }),
        statuses,
        lapses,
      });
      console.log(`${name}: ${about}`);
    } catch (error) {
      if (contestant === OURS) throw error;
      console.log(`${name} is left out:`, error);
    }
  }
  console.log(`\nWho enforces what:\n${enforcementTable([...probed.values()])}\n`);
  const passes = await runPasses(options.passes, [...probed.keys()], deadline);
  return {
    machine: readMachine(),
    contestants: [...probed.values()],
    passes,
  };
}

function show(report: BenchReport, { json, markdown, beside, svg }: Options): void {
  console.log(`\n${machineLine(report.machine)}; medians (least-most); * checks less than ours`);
  console.log(`${resultTable(report)}\n${loaderWarning(report)}`);
  if (markdown) {
    const other = beside === undefined ? undefined : readReport(beside);
    console.log(`${markdownReport(report, other)}\n`);
  }
  if (svg !== undefined) write(svg, chart(report));
  const summaries = report.passes.map((pass) => summarise(pass));
  if (json !== undefined) write(json, `${JSON.stringify({ ...report, summaries }, null, 2)}\n`);
}

function readReport(file: string): BenchReport {
  return JSON.parse(readFileSync(file, 'utf8')) as BenchReport; // written by --json
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const options = readCommandLine(USAGE, () => readOptions(process.argv.slice(2)));
const report = options.from === undefined ? await measure(options) : readReport(options.from);
show(report, options);
