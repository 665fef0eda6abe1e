import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { contractClient, ContractCoverage } from 'contract-testing';

const filter = {
  type: 'object',
  additionalProperties: false,
  properties: {
    shelf: { type: 'integer', format: 'int64', minimum: 1 },
    label: { type: 'array', items: { type: 'string', maxLength: 5 } },
  },
};
const link = { type: 'object', required: ['to'], properties: { to: { type: 'integer' } } };
const responses = { '204': { description: '' }, '400': { description: '' } };

function querystring(mediaType: string, schema: object, required = false): object {
  const content = { [mediaType]: { schema } };
  return { parameters: [{ name: 'filter', in: 'querystring', required, content }], responses };
}

const contract = {
  openapi: '3.2.0',
  $self: 'https://example.com/api.yaml',
  info: { title: 'a fixture', version: '1.0.0' },
  paths: {
    '/crates': {
      get: { operationId: 'list', ...querystring('application/x-www-form-urlencoded', filter) },
      query: {
        operationId: 'search',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: 'https://example.com/api.yaml#/components/schemas/Link' },
            },
          },
        },
        responses,
      },
      additionalOperations: {
        LINK: { operationId: 'link', ...querystring('application/json', link, true) },
      },
    },
  },
  components: { schemas: { Link: link } },
};

/** A client of a service that answers everything with one status, and what that service has got. */
function clientOf(status = 204) {
  const got: string[] = [];
  const coverage = new ContractCoverage(contract);
  const app = (req: IncomingMessage, res: ServerResponse): void => {
    got.push(`${req.method ?? ''} ${decodeURIComponent(req.url ?? '')}`);
    req.resume();
    res.writeHead(status).end();
  };
  const api = contractClient(createServer(app), { contract, coverage });
  const constraint = (name: string) =>
    coverage.report().constraints.find(({ constraint: at }) => at.endsWith(name));
  return { api, got, constraint };
}

describe('OpenAPI 3.2.0 §4.9.1 query and additionalOperations', () => {
  it('are called by their own methods', async () => {
    const { api, got } = clientOf();

    await api.search?.({ body: { to: 1 } });
    await api.link?.({ query: { filter: { to: 1 } } });
    await api.request.query('/crates').type('json').send({ to: 1 }).expect(204);

    expect(got).toEqual(['QUERY /crates', 'LINK /crates?{"to":1}', 'QUERY /crates']);
  });

  it('are judged by what the document’s own URI leads to', async () => {
    const { api } = clientOf();

    await expect(api.search?.({ body: {} })).rejects.toThrow('/body/to');
  });
});

describe('OpenAPI 3.2.0 §4.12.1 querystring', () => {
  it('is written as its media type says', async () => {
    const { api, got } = clientOf();

    await api.list?.({ query: { filter: { shelf: 9007199254740993n, label: ['a', 'b'] } } });
    await api.list?.({});

    expect(got).toEqual(['GET /crates?shelf=9007199254740993&label=a&label=b', 'GET /crates']);
  });

  it.each([
    ['list', { shelf: 0 }, '/query/filter/shelf'],
    ['list', { shelf: 9223372036854775808n }, '/query/filter/shelf'],
    ['list', { other: 1 }, '/query/filter'],
    ['link', { to: 'x' }, '/query/filter/to'],
    ['link', undefined, '/query/filter'],
    ['link', '{', '/query/filter'],
  ])('that the contract refuses must not be accepted: %s %j', async (id, value, pointer) => {
    const { api } = clientOf();

    await expect(api[id]?.({ query: { filter: value } })).rejects.toThrow(pointer);
  });

  it('is covered: kept by a success, broken by a refusal', async () => {
    const { api, constraint } = clientOf();
    const refusing = clientOf(400);

    await api.list?.({ query: { filter: { shelf: 1 } } });
    await refusing.api.list?.({ query: { filter: { shelf: 0 } } });
    await refusing.api.link?.({});

    expect(constraint('/shelf/minimum')).toMatchObject({ accepted: 1, refused: 0 });
    expect(refusing.constraint('/shelf/minimum')).toMatchObject({ accepted: 0, refused: 1 });
    expect(refusing.constraint('/parameters/0/required')).toMatchObject({ refused: 1 });
  });
});
