/** What `npm run dev` starts, anew whenever a source or the contract changes: the types, then the service. */
import { ContractError } from 'contract-server';
import { writeTypes } from 'contract-server/generate';

try {
  await writeTypes('api/openapi.yaml', 'generated/openapi.ts');
} catch (error) {
  // The service says what is wrong with the contract, and where.
  if (!(error instanceof ContractError)) throw error;
}
process.env.DOCS ??= 'on';
await import('../src/main.js');
