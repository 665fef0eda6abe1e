/** As the pages of @hono/zod-openapi and @hono/node-server say. It has no response validation. */
import { serve } from '@hono/node-server';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { bearerAuth } from 'hono/bearer-auth';
import { insert } from './insert.js';
import { readSetup, TEXT_PATTERN } from './setup.js';

const { port, token } = readSetup();

const text = z.string().regex(new RegExp(TEXT_PATTERN));
const PlantSchema = z.object({ name: text, tag: text.optional() }).openapi('Plant');
const NewPlantSchema = PlantSchema.extend({ id: z.int() }).openapi('NewPlant');
const ErrorSchema = z.object({ error: z.int32(), message: z.string() }).openapi('Error');

const createPlant = createRoute({
  method: 'post',
  path: '/plants',
  middleware: [bearerAuth({ token })] as const,
  request: {
    body: { content: { 'application/json': { schema: NewPlantSchema } }, required: true },
  },
  responses: {
    200: { content: { 'application/json': { schema: PlantSchema } }, description: 'The plant' },
    400: { content: { 'application/json': { schema: ErrorSchema } }, description: 'Refused' },
  },
});

const app = new OpenAPIHono();
app.openapi(
  createPlant,
  async (c) => {
    const { id, name, tag } = c.req.valid('json');
    await insert({ id, name, ...(tag !== undefined && { tag }) });
    return c.json({ name, tag }, 200);
  },
  (result, c) => {
    if (!result.success) return c.json({ error: 400, message: result.error.message }, 400);
    return undefined;
  },
);
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
