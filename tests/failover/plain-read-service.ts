/**
 * The service, but for one thing: it answers from plain reads, which show rows that were never replicated.
 * The control run has to catch it losing plants, else the test of the other proves nothing.
 */
import { fileURLToPath } from 'node:url';
import { readContract, runService } from 'contract-server';
import { createTokenVerifier } from 'contract-server/auth';
import { createApp, errorBody } from '../../src/app.js';
import { SETTINGS } from '../../src/config.js';
import { openPostgresPlantStore } from '../../src/plants/postgres/postgres-plant-store.js';

const PLAIN_READ = 'SELECT id, name, tag FROM plants WHERE id = ANY($1::bigint[])';

await runService({
  settings: SETTINGS,
  errorBody,
  async open({ config, logger, isStopping }) {
    const contract = await readContract(fileURLToPath(import.meta.resolve('#contract')));
    if (config.databaseUrl.engine !== 'postgres') throw new Error('this is for PostgreSQL alone');
    const store = await openPostgresPlantStore(config.databaseUrl, { readStatement: PLAIN_READ });
    const verifyToken = createTokenVerifier(config.tokensFile);
    return {
      contract,
      app: await createApp({ contract, config, store, verifyToken, logger, isStopping }),
      onServed: () => {
        store.flush();
      },
      close: () => store.close(),
    };
  },
});
