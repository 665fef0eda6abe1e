/**
 * `npm run contract:diff -- [OLD.yaml [NEW.yaml]]`: what has changed between two contracts, and which
 * of it breaks clients. Exits with 1 where something does and `info.version` has no new major.
 */
import { fileURLToPath } from 'node:url';
import { runContractDiff } from './contract-diff/command.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exitCode, stdout, stderr } = await runContractDiff(process.argv.slice(2), root);
if (stdout !== '') console.log(stdout);
if (stderr !== '') console.error(stderr);
process.exitCode = exitCode;
