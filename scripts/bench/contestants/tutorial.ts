/** What the pages of express, passport and express-openapi-validator add up to, and nothing else. */
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { insert } from './insert.js';
import { readSetup, type PlantBody } from './setup.js';

const { port, token: expectedToken } = readSetup();

passport.use(
  new Strategy((token, done) => {
    done(null, token === expectedToken ? { name: 'bench' } : false);
  }),
);

const app = express();
app.use(express.json({ limit: '1mb' }));
app.use(
  OpenApiValidator.middleware({
    apiSpec: process.env.CONTRACT ?? 'api/openapi.yaml',
    validateRequests: true,
    validateResponses: true,
  }),
);
// What passport returns is typed as any.
const authenticate = passport.authenticate('bearer', { session: false }) as RequestHandler;
app.post('/plants', authenticate, async (req, res) => {
  const plant = req.body as PlantBody; // the validator has seen to it
  await insert(plant);
  res.json({ name: plant.name, tag: plant.tag });
});

interface HttpError {
  status: number;
  message: string;
}

// Express knows an error handler by its four parameters.
const answerError: ErrorRequestHandler = (error: Partial<HttpError>, _req, res, _next) => {
  const status = error.status ?? 500;
  res.status(status).json({ error: status, message: error.message ?? 'something went wrong' });
};
app.use(answerError);
app.listen(port, '127.0.0.1');
