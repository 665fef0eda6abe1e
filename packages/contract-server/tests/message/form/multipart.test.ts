import { beforeAll, describe, expect, it } from '@jest/globals';
import { formData, serveForm, type FormService } from '../../support/form.js';

const MULTIPART = 'multipart/form-data';
const file = { type: 'string', format: 'binary' };
const schema = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', required: ['x'], properties: { x: { type: 'number' } } },
    photo: { ...file, minLength: 2, maxLength: 20 },
    papers: { type: 'array', items: { ...file, maxLength: 10 }, maxItems: 2 },
    either: { anyOf: [file, { type: 'array', items: file }] },
  },
};
const encoding = { photo: { contentType: 'image/png, image/jpeg' } };

/** Parts as they are written, each with its header lines and its content. */
function written(...parts: readonly string[]): string {
  return [...parts.map((part) => `--b\r\n${part}\r\n`), '--b--\r\n'].join('');
}
const id = 'Content-Disposition: form-data; name="id"\r\n\r\n1';
const WRITTEN = `${MULTIPART}; boundary=b`;

const png = (text: string): Blob => new Blob([text], { type: 'image/png' });
const read = (filename: string, text: string, mediaType = 'image/png') => ({
  filename,
  mediaType,
  headers: { 'content-type': mediaType },
  text,
});

describe('OpenAPI 3.1.0 §4.8.14.4 multipart/form-data', () => {
  describe.each(['3.0.3', '3.1.0'])('of a contract of %s', (openapi) => {
    let service: FormService;
    beforeAll(async () => {
      service = await serveForm(MULTIPART, { schema, encoding }, { openapi });
    });

    it.each([
      ['an int64 beyond 2^53', [['id', '9007199254740993']], { id: 9007199254740993n }],
      ['text', [['name', 'a & b\r\nü']], { name: 'a & b\r\nü' }],
      [
        'a list',
        [
          ['tags', 'a'],
          ['tags', 'b'],
        ],
        { tags: ['a', 'b'] },
      ],
      ['an object as JSON', [['place', '{"x":1}']], { place: { x: 1 } }],
      [
        'an object that says that it is JSON',
        [['place', new Blob(['{"x":1}'], { type: 'application/json' })]],
        { place: { x: 1 } },
      ],
      ['a file', [['photo', png('abc'), 'a.png']], { photo: read('a.png', 'abc') }],
      [
        'a list of files',
        [
          ['papers', png('1'), 'a'],
          ['papers', png(''), 'b'],
        ],
        { papers: [read('a', '1'), read('b', '')] },
      ],
      ['a list of one file', [['papers', png('1'), 'a']], { papers: [read('a', '1')] }],
      ['one file, or several: one', [['either', png('1'), 'a']], { either: read('a', '1') }],
      [
        'one file, or several: two',
        [
          ['either', png('1'), 'a'],
          ['either', png('2'), 'b'],
        ],
        { either: [read('a', '1'), read('b', '2')] },
      ],
      [
        'parts in any order',
        [
          ['papers', png('1'), 'a'],
          ['name', 'n'],
          ['photo', png('abc'), 'p'],
          ['papers', png('2'), 'b'],
        ],
        { papers: [read('a', '1'), read('b', '2')], name: 'n', photo: read('p', 'abc') },
      ],
    ] as [string, Parameters<typeof formData>[0], object][])(
      'reads %s',
      async (_case, fields, expected) => {
        const own = 'id' in expected ? [] : [['id', '1'] as const];

        const answer = await service.post(formData([...fields, ...own]));

        expect(answer).toEqual({ status: 204, message: undefined });
        expect(service.received.at(-1)).toEqual({ id: 1n, ...expected });
      },
    );

    it.each([
      ['a part that is missing', [['name', 'a']], 400, 'body /id: is required'],
      [
        'a text that the contract does not name',
        [
          ['id', '1'],
          ['other', 'a'],
        ],
        400,
        'body /other: is not one of those that the contract names',
      ],
      [
        'a file that the contract does not name',
        [
          ['other', png('a'), 'a'],
          ['id', '1'],
        ],
        400,
        'body /other: is not one of those that the contract names',
      ],
      [
        'a text twice',
        [
          ['id', '1'],
          ['id', '2'],
        ],
        400,
        'body /id: is given more than once',
      ],
      [
        'a file twice',
        [
          ['id', '1'],
          ['photo', png('aa'), 'a'],
          ['photo', png('bb'), 'b'],
        ],
        400,
        'body /photo: is given more than once',
      ],
      [
        'too many files',
        [['id', '1'], ...['a', 'b', 'c'].map((name) => ['papers', png(name), name] as const)],
        400,
        /^body \/papers: .*2 items/,
      ],
      [
        'a file that is too long',
        [
          ['id', '1'],
          ['photo', png('a'.repeat(21)), 'a'],
        ],
        400,
        'body /photo: must NOT have more than 20 bytes',
      ],
      [
        'one of several files that is too long',
        [
          ['id', '1'],
          ['papers', png('a'), 'a'],
          ['papers', png('a'.repeat(11)), 'a'],
        ],
        400,
        'body /papers/1: must NOT have more than 10 bytes',
      ],
      [
        'a file that is too short',
        [
          ['id', '1'],
          ['photo', png('a'), 'a'],
        ],
        400,
        'body /photo: must NOT have fewer than 2 bytes',
      ],
      [
        'a file of another media type',
        [['photo', new Blob(['aa'], { type: 'text/plain' }), 'a']],
        415,
        'body /photo: must be image/png or image/jpeg; it is text/plain',
      ],
      [
        'a text of another media type',
        [['name', png('a'), 'a']],
        415,
        'body /name: must be text/*; it is image/png',
      ],
      [
        'a text in another charset',
        [['name', new Blob(['a'], { type: 'text/plain; charset=latin1' }), 'a']],
        415,
        'body /name: its charset must be UTF-8',
      ],
      [
        'what is not UTF-8',
        [['name', new Blob([Buffer.from([0xff])], { type: 'text/plain' }), 'a']],
        400,
        'body /name: is not valid UTF-8',
      ],
      [
        'JSON that is not',
        [
          ['id', '1'],
          ['place', '{"x"'],
        ],
        400,
        /^body \/place: is not valid JSON/,
      ],
      [
        'JSON that is wrong',
        [
          ['id', '1'],
          ['place', '{}'],
        ],
        400,
        'body /place/x: is required',
      ],
      [
        'more text than the limit',
        [['name', 'a'.repeat(1_000_000)]],
        413,
        /larger than the 1000000 bytes/,
      ],
      [
        'more parts than the limit',
        Array.from({ length: 1001 }, () => ['tags', '']),
        413,
        'the form has more than 1000 parts',
      ],
    ] as [string, Parameters<typeof formData>[0], number, string | RegExp][])(
      'refuses %s',
      async (_case, fields, status, message) => {
        const answer = await service.post(formData(fields));

        expect(answer).toEqual({
          status,
          message: typeof message === 'string' ? message : expect.stringMatching(message),
        });
      },
    );

    it.each([
      ['no boundary', MULTIPART, written(id), /no boundary, or one that cannot be$/],
      [
        'a boundary that is too long',
        `${MULTIPART}; boundary=${'b'.repeat(71)}`,
        written(id),
        /no boundary, or/,
      ],
      [
        'another boundary',
        `${MULTIPART}; boundary=c`,
        written(id),
        /it is cut off, or its boundary/,
      ],
      ['no end', WRITTEN, written(id).slice(0, -6), /it is cut off, or its boundary/],
      ['an end in a header', WRITTEN, '--b\r\nContent-Disposition: form', /it is cut off/],
      [
        'a header that a boundary cuts off',
        WRITTEN,
        written('Content-Disposition: form-data; name="id"', id),
        /cut off/,
      ],
      ['nothing in it', WRITTEN, '--b--\r\n', /^body \/id: is required$/],
      [
        'a part without a name',
        WRITTEN,
        written('Content-Disposition: form-data\r\n\r\n1'),
        /a part has no name$/,
      ],
      [
        'a part that is no form-data',
        WRITTEN,
        written('Content-Disposition: attachment; name="id"\r\n\r\n1'),
        /a part is not form-data$/,
      ],
      ['a part without a header', WRITTEN, written('\r\n1'), /a part is not form-data$/],
      [
        'a header line without a colon',
        WRITTEN,
        written(`what\r\n${id}`),
        /a part is not form-data$/,
      ],
      [
        'a name twice',
        WRITTEN,
        written('Content-Disposition: form-data; name="id"; name="id"\r\n\r\n1'),
        /has the parameter name twice$/,
      ],
      [
        'two dispositions',
        WRITTEN,
        written(`Content-Disposition: form-data; name="a"\r\n${id}`),
        /has content-disposition twice$/,
      ],
      [
        'a quote without an end',
        WRITTEN,
        written('Content-Disposition: form-data; name="id\r\n\r\n1'),
        /cannot be read$/,
      ],
      [
        'a NUL in a filename',
        WRITTEN,
        written('Content-Disposition: form-data; name="id"; filename="a\0"\r\n\r\n1'),
        /has control characters$/,
      ],
      [
        'a header that is too large',
        WRITTEN,
        written(`X-Long: ${'a'.repeat(17_000)}\r\n${id}`),
        /the header of a part is larger than 16384 bytes$/,
      ],
    ])('refuses a form with %s', async (_case, contentType, body, message) => {
      const answer = await service.post(body, contentType);

      expect(answer).toEqual({ status: 400, message: expect.stringMatching(message) });
    });

    it('takes an empty file without a name for none, as browsers send it', async () => {
      const none = 'Content-Disposition: form-data; name="photo"; filename=""\r\n';
      const type = 'Content-Type: application/octet-stream\r\n\r\n';

      expect(await service.post(written(none + type, id), WRITTEN)).toMatchObject({ status: 204 });
      expect(service.received.at(-1)).toEqual({ id: 1n });
      expect(await service.post(written(`${none}${type}1`, id), WRITTEN)).toEqual({
        status: 400,
        message: expect.stringMatching(/file photo has no name$/),
      });
    });

    it('refuses a transfer encoding of mails with 415 (RFC 7578 §4.7)', async () => {
      const part =
        'Content-Disposition: form-data; name="name"\r\nContent-Transfer-Encoding: base64\r\n\r\nYQ==';

      const answer = await service.post(written(part), WRITTEN);

      expect(answer).toEqual({
        status: 415,
        message: 'body /name: must not have the transfer encoding base64',
      });
    });
  });
});

describe('RFC 7578 §4.2 filename', () => {
  let service: FormService;
  beforeAll(async () => {
    service = await serveForm(MULTIPART, { schema: { properties: { photo: file } } });
  });

  it.each([
    ['a.png', 'a.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\\\fakepath\\a.png', 'a.png'],
    ['..', undefined],
    ['a/', undefined],
    ['a%22b.png', 'a"b.png'],
    ['a\\"b.png', 'a"b.png'],
    ['ü \u{1f600}.png', 'ü \u{1f600}.png'],
  ])('that a client writes as %s is no path', async (sent, expected) => {
    const part = `Content-Disposition: form-data; name="photo"; filename="${sent}"\r\n\r\n1`;

    const { status } = await service.post(written(part), WRITTEN);

    expect(status).toBe(204);
    expect(service.received.at(-1)).toEqual({
      photo: { filename: expected, mediaType: 'application/octet-stream', headers: {}, text: '1' },
    });
  });
});

describe('OpenAPI 3.1.0 §4.8.14.4 which members of a form are files', () => {
  it.each([
    ['format: binary', file, undefined, true],
    ['a list of them', { type: 'array', items: file }, undefined, true],
    ['contentMediaType', { contentMediaType: 'image/png' }, undefined, true],
    [
      'a string with contentMediaType',
      { type: 'string', contentMediaType: 'image/png' },
      undefined,
      true,
    ],
    ['an empty schema with a content type', {}, 'image/png', true],
    ['an empty schema of text', {}, 'text/csv', true],
    ['a string with a content type of bytes', { type: 'string' }, 'application/pdf', true],
    ['an empty schema', {}, undefined, false],
    ['a string of text', { type: 'string' }, 'text/csv', false],
    [
      'a string that has a base64 in it',
      { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
      undefined,
      false,
    ],
    ['format: byte', { type: 'string', format: 'byte' }, undefined, false],
  ])('%s', async (_case, member, contentType, isFile) => {
    const service = await serveForm(MULTIPART, {
      schema: { properties: { part: member } },
      ...(contentType !== undefined && { encoding: { part: { contentType } } }),
    });
    const type = contentType ?? (isFile ? 'image/png' : 'text/plain');

    const { status } = await service.post(formData([['part', new Blob(['YQ=='], { type }), 'a']]));

    expect(status).toBe(204);
    const part = isFile ? read('a', 'YQ==', type) : 'YQ==';
    expect(service.received).toEqual([
      { part: Array.isArray(service.received[0]?.part) ? [part] : part },
    ]);
  });
});

describe('OpenAPI 3.1.0 §4.8.15 Encoding Object: headers of a part', () => {
  let service: FormService;
  beforeAll(async () => {
    const headers = {
      'X-Width': { required: true, schema: { type: 'integer', maximum: 9 } },
      'X-Tags': { schema: { type: 'array', items: { type: 'string' } } },
      'Content-Type': { schema: { const: 'ignored' } },
    };
    service = await serveForm(MULTIPART, {
      schema: { properties: { photo: file, papers: { type: 'array', items: file } } },
      encoding: { photo: { headers }, papers: { headers } },
    });
  });

  const part = (name: string, headers: string): string =>
    `Content-Disposition: form-data; name="${name}"; filename="a"\r\n${headers}\r\n1`;

  it('is judged by its schema, and given to the handler', async () => {
    const body = written(part('photo', 'X-Width: 9\r\nX-Tags: a, b\r\nX-Other: c\r\n'));

    const answer = await service.post(body, WRITTEN);

    expect(answer).toEqual({ status: 204, message: undefined });
    const headers = { 'x-width': '9', 'x-tags': 'a, b', 'x-other': 'c' };
    expect(service.received.at(-1)).toMatchObject({ photo: { headers } });
  });

  it.each([
    ['wrong', 'photo', 'X-Width: 10\r\n', 'parts /photo/0/x-width: must be <= 9'],
    ['of another type', 'photo', 'X-Width: wide\r\n', 'parts /photo/0/x-width: must be integer'],
    ['missing', 'photo', '', 'parts /photo/0/x-width: is required'],
    ['missing in a list', 'papers', '', 'parts /papers/0/x-width: is required'],
    [
      'given twice',
      'photo',
      'X-Width: 1\r\nX-Width: 1\r\n',
      'body /photo, header /x-width: is given more than once',
    ],
  ])('is refused where it is %s', async (_case, name, headers, message) => {
    const answer = await service.post(written(part(name, headers)), WRITTEN);

    expect(answer).toEqual({ status: 400, message });
  });
});
