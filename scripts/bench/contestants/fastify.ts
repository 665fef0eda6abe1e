/** As the pages of Fastify, fastify-openapi-glue and @fastify/response-validation say. */
import responseValidation from '@fastify/response-validation';
import underPressure from '@fastify/under-pressure';
import addFormats from 'ajv-formats';
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { insert } from './insert.js';
import { readSetup, type PlantBody } from './setup.js';

const { port, token } = readSetup();

class Service {
  async createPlant(request: FastifyRequest, reply: FastifyReply) {
    const plant = request.body as PlantBody; // fastify has validated it
    await insert(plant);
    // The response validation picks the schema by this header.
    void reply.type('application/json');
    return { name: plant.name, tag: plant.tag };
  }
}

class Security {
  bearerAuth(request: FastifyRequest) {
    if (request.headers.authorization !== `Bearer ${token}`) throw new Error('no valid token');
  }
}

// Fastify would make a string of any name; the contract wants it to be one.
const fastify = Fastify({ ajv: { customOptions: { strict: false, coerceTypes: false } } });
fastify.setErrorHandler(({ statusCode = 500, message }: FastifyError, _request, reply) => {
  void reply.code(statusCode).type('application/json').send({ error: statusCode, message });
});
if (process.env.SHED === 'under-pressure') {
  // Its page's example allows an event loop of 1 s and looks each second: nobody waits here as long.
  await fastify.register(underPressure, {
    maxEventLoopDelay: 50,
    sampleInterval: 100,
    retryAfter: 1,
    exposeStatusRoute: '/healthz',
  });
}
await fastify.register(responseValidation, {
  ajv: { strict: false, plugins: [addFormats.default] },
});
await fastify.register(openapiGlue, {
  specification: 'api/openapi.yaml',
  serviceHandlers: new Service(),
  securityHandlers: new Security(),
});
await fastify.listen({ port, host: '127.0.0.1' });
