import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { contractClient, ContractCoverage } from 'contract-testing';

const name = { name: 'name', in: 'query', schema: { type: 'string', maxLength: 3 } };
const problem = { 'application/json': { schema: { type: 'object', required: ['title'] } } };
const contract = {
  openapi: '3.1.0',
  info: { title: 'a fixture', version: '1.0.0' },
  paths: {
    '/things': {
      get: {
        operationId: 'list',
        parameters: [name],
        responses: {
          '204': { description: '' },
          '404': { description: '', content: problem },
        },
      },
    },
  },
  'x-unmatched-responses': { '404': { description: '', content: problem } },
};

/** A client of a service that answers everything alike. */
function clientOf(status: number, options: { readonly undeclaredErrors?: 'refuse' | 'send' }) {
  const coverage = new ContractCoverage(contract);
  const app = (_req: IncomingMessage, res: ServerResponse): void => {
    res.writeHead(status, { 'Content-Type': 'application/json' }).end('{"error":1}');
  };
  return { api: contractClient(app, { contract, coverage, ...options }), coverage };
}

describe('a service that sends errors that its contract doesn’t declare', () => {
  it('is refused where the option is left out', async () => {
    const { api } = clientOf(400, {});

    await expect(api.list?.({})).rejects.toThrow('/status');
  });

  it('passes with undeclaredErrors: send', async () => {
    const { api } = clientOf(400, { undeclaredErrors: 'send' });

    expect(await api.list?.({})).toMatchObject({ status: 400, text: '{"error":1}' });
    await api.request.put('/things').expect(400);
    await api.request.get('/nothing').expect(400);
  });

  it('has broken constraints counted', async () => {
    const { api, coverage } = clientOf(400, { undeclaredErrors: 'send' });

    await api.list?.({ query: { name: 'abcd' } });

    expect(coverage.report().constraints).toContainEqual(
      expect.objectContaining({ constraint: expect.stringMatching(/maxLength$/), refused: 1 }),
    );
  });

  it.each([404, 200])('is refused all the same for the answer %d', async (status) => {
    const { api } = clientOf(status, { undeclaredErrors: 'send' });

    await expect(api.list?.({})).rejects.toThrow(status === 404 ? '/body/title' : '/status');
  });

  it('is refused for a declared answer to what reaches no operation', async () => {
    const { api } = clientOf(404, { undeclaredErrors: 'send' });

    await expect(api.request.get('/nothing')).rejects.toThrow('/body/title');
  });
});
