import { describe, expect, it } from '@jest/globals';
import { createPlantRequest, IDS } from '../../../../scripts/bench/load/plant-request.js';

const OPTIONS = { port: 3000, token: 'secret', bodyBytes: 100, ids: 'ascending' } as const;

function split(request: string): { head: string; body: string } {
  const [head = '', body = ''] = request.split('\r\n\r\n');
  return { head, body };
}

function idOf(request: string): number {
  return (JSON.parse(split(request).body) as { id: number }).id;
}

describe('createPlantRequest', () => {
  it.each([100, 10_000, 1_048_000])('writes a body of exactly %i bytes', (bodyBytes) => {
    const { head, body } = split(createPlantRequest({ ...OPTIONS, bodyBytes })(0));

    expect(Buffer.byteLength(body)).toBe(bodyBytes);
    expect(head).toContain(`\r\nContent-Length: ${bodyBytes}`);
  });

  it.each(['ascending', 'scattered'] as const)(
    'gives %s requests even ids of their own, all as long',
    (ids) => {
      const requestOf = createPlantRequest({ ...OPTIONS, ids });
      const requests = [...Array(5000).keys(), IDS - 1].map(requestOf);

      const found = requests.map(idOf);

      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((id) => id % 2 !== 0)).toEqual([]);
      expect(new Set(requests.map(({ length }) => length)).size).toBe(1);
    },
  );

  it('scatters ids over the whole range', () => {
    const requestOf = createPlantRequest({ ...OPTIONS, ids: 'scattered' });

    const found = [...Array(1000).keys()].map((n) => idOf(requestOf(n)));

    expect(Math.max(...found) - Math.min(...found)).toBeGreaterThan(1.9 * IDS);
  });
});
