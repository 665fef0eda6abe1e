import type { Command } from './command.js';
import { runContractDiff, USAGE } from './diff/command.js';

export const diff: Command = {
  summary: 'says what has changed between two contracts, and which of it breaks clients',
  usage: USAGE,

  async run(args) {
    const { exitCode, stdout, stderr } = await runContractDiff(args, process.cwd());
    if (stdout !== '') console.log(stdout);
    if (stderr !== '') console.error(stderr);
    return exitCode;
  },
};
