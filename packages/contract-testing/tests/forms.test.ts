import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  contractClient,
  ContractCoverage,
  ContractViolation,
  type ContractClient,
} from 'contract-testing';

type Untyped = Record<string, unknown>;

const film = { type: 'string', format: 'binary', maxLength: 5 };
const schema = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', format: 'int64', minimum: 1 },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { x: { type: 'integer' } } },
    film,
  },
};

function contractOf(mediaType: string, encoding: object = {}): Untyped {
  return {
    openapi: '3.1.0',
    info: { title: 'uploads', version: '1' },
    paths: {
      '/films': {
        post: {
          operationId: 'addFilm',
          requestBody: { required: true, content: { [mediaType]: { schema, encoding } } },
          responses: { '204': { description: '' }, '400': { description: '' } },
        },
      },
    },
  };
}

/** A client of a service that answers everything with the same, and what that service has got. */
function clientOf(mediaType: string, status = 204) {
  const got: { contentType: string | undefined; text: string }[] = [];
  const coverage = new ContractCoverage(contractOf(mediaType));
  const app = (req: IncomingMessage, res: ServerResponse): void => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      got.push({ contentType: req.headers['content-type'], text });
      res.writeHead(status).end();
    });
  };
  const options = { contract: contractOf(mediaType), coverage };
  const api: ContractClient<Untyped> = contractClient<Untyped>(app, options);
  return { api, got, coverage };
}

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

describe('a form', () => {
  it('is written as pairs', async () => {
    const { api, got } = clientOf(URLENCODED);

    await api.addFilm?.({
      body: { id: 9007199254740993n, tags: ['a b', 'ü'], place: { x: 1 }, film: undefined },
    });

    expect(got).toEqual([
      {
        contentType: URLENCODED,
        text: 'id=9007199254740993&tags=a+b&tags=%C3%BC&place=%7B%22x%22%3A1%7D',
      },
    ]);
  });

  it('is written in parts, with a Blob as a file', async () => {
    const { api, got } = clientOf(MULTIPART);
    const file = new File(['abc'], 'a.mp4', { type: 'video/mp4' });

    await api.addFilm?.({ body: { id: 1n, tags: ['a', 'b'], film: file } });

    expect(got[0]?.contentType).toMatch(/^multipart\/form-data; boundary=/);
    expect(got[0]?.text).toMatch(
      /name="id"\r\n\r\n1\r\n[^]*name="tags"\r\n\r\na\r\n[^]*name="tags"\r\n\r\nb\r\n[^]*filename="a.mp4"\r\nContent-Type: video\/mp4\r\n\r\nabc\r\n/,
    );
  });

  it.each([
    [URLENCODED, { id: 0n }, '(request accepted) /body/id'],
    [URLENCODED, { tags: ['a'] }, '(request accepted) /body/id'],
    [URLENCODED, { id: [1n, 2n] }, '(request accepted) /body/id'],
    [MULTIPART, { id: 1n, other: 'x' }, '(request accepted) /body'],
    [MULTIPART, { id: 1n, film: new Blob(['123456']) }, '(request accepted) /body/film'],
    [MULTIPART, { id: 1n, place: 'no JSON' }, '(request accepted) /body'],
  ])('that the contract refuses must not succeed: %s %p', async (mediaType, body, pointer) => {
    const { api } = clientOf(mediaType);

    const error = await Promise.resolve(api.addFilm?.({ body })).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(ContractViolation);
    expect((error as ContractViolation).problems.map((problem) => problem.pointer)).toEqual([
      pointer,
    ]);
  });

  it.each([URLENCODED, MULTIPART])('is covered by its constraints: %s', async (mediaType) => {
    const kept = clientOf(mediaType);
    await kept.api.addFilm?.({ body: { id: 1n } });
    const broken = clientOf(mediaType, 400);
    await broken.api.addFilm?.({ body: { id: 0n } });
    kept.coverage.add(broken.coverage.counts);

    const rows = kept.coverage.report().constraints;

    const minimum = rows.find(({ constraint }) => constraint.endsWith('/id/minimum'));
    expect(minimum).toMatchObject({ accepted: 1, refused: 1 });
    expect(rows.map(({ constraint }) => constraint.replace(/.*\/schema\//, ''))).not.toContain(
      'type',
    );
  });

  it.each([
    ['of a list in one text', { tags: { explode: false } }, 0],
    ['of an object in several', { place: { style: 'deepObject' } }, 0],
    ['of a list in several texts', { tags: { style: 'form' } }, 1],
    ['of a single text', { id: { allowReserved: true } }, 1],
  ])('asks for nothing that it can’t judge: a style %s', (_case, encoding, count) => {
    const coverage = new ContractCoverage(contractOf(URLENCODED, encoding));

    const { constraints } = coverage.report();

    const minimums = constraints.filter(({ constraint }) => constraint.endsWith('/id/minimum'));
    expect(minimums).toHaveLength(count);
  });
});
