import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';

export interface TutorialPlant {
  id: number;
  name: string;
  tag?: string;
}

/** What the pages of express, passport and express-openapi-validator add up to, and nothing else. */
export function createTutorialApp(
  expectedToken: string,
  insert: (plant: TutorialPlant) => unknown,
): Express {
  passport.use(
    new Strategy((token, done) => {
      done(null, token === expectedToken ? { name: 'bench' } : false);
    }),
  );

  const app = express();
  app.use(express.json());
  app.use(
    OpenApiValidator.middleware({
      apiSpec: 'api/openapi.yaml',
      validateRequests: true,
      validateResponses: true,
    }),
  );
  // What passport returns is typed as any.
  const authenticate = passport.authenticate('bearer', { session: false }) as RequestHandler;
  app.post('/plants', authenticate, async (req, res) => {
    const { id, name, tag } = req.body as TutorialPlant; // the validator has seen to it
    await insert({ id, name, ...(tag !== undefined && { tag }) });
    res.json({ name, tag });
  });
  app.use(answerError);
  return app;
}

// Express knows an error handler by its four parameters.
const answerError: ErrorRequestHandler = (error: Partial<HttpError>, _req, res, _next) => {
  const status = error.status ?? 500;
  res.status(status).json({ error: status, message: error.message ?? 'something went wrong' });
};

interface HttpError {
  status: number;
  message: string;
}
