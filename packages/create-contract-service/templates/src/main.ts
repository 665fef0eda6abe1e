import { fileURLToPath } from 'node:url';
import { readContract, runService } from 'contract-server';
import { createBearerVerifier, createFirstToken, createTokenVerifier } from 'contract-server/auth';
import { createApp } from './app.js';
import { SCOPES } from './auth/strategies.js';
import { SETTINGS } from './config.js';
import { errorBody } from './error-body.js';

await runService({
  settings: SETTINGS,
  errorBody,
  async open({ config, logger, isLeaving, isStopping }) {
    const contract = await readContract(fileURLToPath(import.meta.resolve('#contract')));
    const verifyToken = createTokenVerifier(config.tokensFile);
    const verifyBearer = await createBearerVerifier(config, verifyToken, logger);
    const app = await createApp({
      contract,
      config,
      verifyToken,
      verifyBearer,
      logger,
      isLeaving,
      isStopping,
    });
    // A service that can't start leaves no token behind.
    const firstToken = createFirstToken(config.tokensFile, { scopes: SCOPES });
    if (firstToken !== undefined)
      logger.info({ file: firstToken }, 'made a first token, which is in this file');
    return { contract, app };
  },
});
