/** As openapi-backend's page says, on express, with its security handlers and response validation. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import express, { type Request, type Response } from 'express';
import { OpenAPIBackend, type Context, type Document } from 'openapi-backend';
import { parse } from 'yaml';
import { insert } from './insert.js';
import { readSetup, type PlantBody } from './setup.js';

const { port, token } = readSetup();

const api = new OpenAPIBackend({
  definition: parse(readFileSync('api/openapi.yaml', 'utf8')) as Document,
  // Leaves out its check of the document, which knows OpenAPI 3.0 only and would refuse ours.
  quick: true,
});
api.register({
  createPlant: async (c: Context) => {
    const plant = c.request.requestBody as PlantBody; // openapi-backend has validated it
    await insert(plant);
    return { name: plant.name, tag: plant.tag };
  },
  validationFail: (c: Context, _req: Request, res: Response) =>
    res.status(400).json({ error: 400, message: JSON.stringify(c.validation.errors) }),
  unauthorizedHandler: (_c: Context, _req: Request, res: Response) =>
    res.status(401).json({ error: 401, message: 'unauthorized' }),
  notFound: (_c: Context, _req: Request, res: Response) =>
    res.status(404).json({ error: 404, message: 'not found' }),
  postResponseHandler: (c: Context, _req: Request, res: Response) => {
    const { errors } = c.api.validateResponse(c.response, c.operation);
    if (errors) return res.status(502).json({ error: 502, message: JSON.stringify(errors) });
    return res.status(200).json(c.response);
  },
});
api.registerSecurityHandler('bearerAuth', ({ request }: Context) => {
  const { authorization } = request.headers as IncomingHttpHeaders; // typed as any
  return authorization === `Bearer ${token}`;
});
await api.init();

const app = express();
app.use(express.json({ limit: '1mb' }));
app.use((req, res) => api.handleRequest(req as never, req, res));
app.listen(port, '127.0.0.1');
