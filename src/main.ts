import { runtimeProblem } from './runtime.js';

const problem = runtimeProblem(process.versions);
if (problem === undefined) {
  // Not imported above: an older Node lacks what is imported there, and would say so with a stack.
  await import('./start.js');
} else {
  console.error(problem);
  process.exitCode = 2;
}
