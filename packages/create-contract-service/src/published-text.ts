/** What a template says otherwise where the contract is served as it was published, by its path. */
const CHANGES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'package.json': [
    [
      'contract-server check api/openapi.yaml',
      'contract-server check api/openapi.yaml --as-published',
    ],
  ],
  // Operations that are answered with 501 can't be covered.
  'jest.config.js': [['threshold: 50', 'threshold: 0']],
  'src/app.ts': [['    errorBody,\n', '    errorBody,\n    asPublished: true,\n']],
  'tests/support/service.ts': [
    [
      'contract: CONTRACT, outside: OUTSIDE',
      "contract: CONTRACT, undeclaredErrors: 'send', outside: OUTSIDE",
    ],
  ],
  'tests/generative.test.ts': [
    ['{ contract: CONTRACT }', "{ contract: CONTRACT, undeclaredErrors: 'send' }"],
  ],
  'README.md': [
    [
      'Edit `api/openapi.yaml`, run `npm run generate`',
      "`api/openapi.yaml` is served as others have published it: what of it isn't held is said at the start. Put a new version in its place, run `npm run generate`",
    ],
  ],
};

/** A template of a project whose contract is served as it was published. */
export function publishedText(path: string, text: string): string {
  return (CHANGES[path] ?? []).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`${path} does not say ${from}`);
    return changed.replace(from, to);
  }, text);
}
