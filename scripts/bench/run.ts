/** `npm run bench`: ours beside other ways to do the same whole job, in one run. */
import { writeFileSync } from 'node:fs';
import { readCommandLine } from '../command-line.js';
import { lapsesOf, probeEnforcement } from './load/enforcement.js';
import { runPasses } from './load/passes.js';
import { readOptions, USAGE, type Options } from './options.js';
import { compilePrograms } from './process/compile.js';
import { OURS, type Contestant } from './process/contestants.js';
import { readMachine } from './process/machine.js';
import { installPackages } from './process/packages.js';
import { writeReport, type BenchReport, type ReportedContestant } from './report/bench-report.js';
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
    const { name, about, must, most } = contestant;
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
        ...(most !== undefined && { most }),
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
  if (options.raw !== undefined) writeFileSync(options.raw, `${JSON.stringify(passes)}\n`);
  return {
    machine: readMachine(),
    contestants: [...probed.values()],
    passes: passes.map(summarise),
  };
}

async function show(report: BenchReport, { json, markdown, beside, svg }: Options): Promise<void> {
  console.log(`\n${machineLine(report.machine)}; medians (least-most); * checks less than ours`);
  console.log(`${resultTable(report)}\n${loaderWarning(report)}`);
  if (markdown) console.log(`${markdownReport(report, beside)}\n`);
  if (svg !== undefined) writeFileSync(svg, chart(report));
  if (json !== undefined) await writeReport(json, report);
}

const options = readCommandLine(USAGE, readOptions);
await show(options.from ?? (await measure(options)), options);
