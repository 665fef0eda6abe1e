import { existsSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['**/dist', 'generated', '**/node_modules', 'packages/contract-docs/ui'] },
  // Their types are those of packages that the service doesn't install; check:bench does.
  existsSync('scripts/bench/node_modules/fastify')
    ? {}
    : { ignores: ['scripts/bench/contestants'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js'] },
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Its suggestion, a non-null "!", is what no code here may have.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    // What is run as it is, in JavaScript.
    files: ['tests/**/*.{cjs,js,mjs}', 'packages/*/bin/*.js', 'packages/*/templates/**'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      parserOptions: { projectService: false },
      globals: { require: 'readonly', exports: 'writable', process: 'readonly' },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    // What a browser runs.
    files: ['packages/contract-docs/page/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      parserOptions: { projectService: false },
      globals: { document: 'readonly', SwaggerUIBundle: 'readonly', URL: 'readonly' },
    },
  },
);
