/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // Jest's own choice leaves one core idle; of two, that is half the machine.
  maxWorkers: '100%',
  // Some tests start processes, and a busy machine is slow at that.
  testTimeout: 30_000,
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
  // The packages' sources, not what was built of them.
  testEnvironmentOptions: { customExportConditions: ['workspace', 'node', 'node-addons'] },
  // They have commands of their own, such as `npm run test:hostile`.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/tests/scripts/',
    '<rootDir>/tests/browser/',
    '<rootDir>/tests/hostile/',
    '<rootDir>/tests/created/',
    '<rootDir>/tests/postgres/',
    '<rootDir>/tests/failover/',
    '<rootDir>/tests/proxies/',
    '<rootDir>/tests/deploy/',
    '<rootDir>/tests/identity/',
    '<rootDir>/tests/telemetry/',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  // The sources import each other as NodeNext wants it, by the names they have once compiled.
  moduleNameMapper: {
    '^\\./openapi\\.schema\\.validator$': '<rootDir>/tests/support/openapi-schema-validator.cjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
  },
  reporters: [
    'default',
    [
      'contract-testing/reporter',
      { contract: 'api/openapi.yaml', folder: 'coverage', threshold: 100 },
    ],
  ],
  globalSetup: '<rootDir>/tests/support/global-setup.ts',
  globalTeardown: '<rootDir>/tests/support/global-teardown.ts',
};
