/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  maxWorkers: '100%',
  testTimeout: 60_000,
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  // The sources import each other by the names that they have once compiled.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
  },
  reporters: [
    'default',
    [
      'contract-testing/reporter',
      // Raise it as handlers are written: 100 is a test for everything that the contract says.
      { contract: 'api/openapi.yaml', folder: 'coverage', threshold: 50 },
    ],
  ],
};
