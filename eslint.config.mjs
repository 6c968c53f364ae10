import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import {
  DEPENDENCIES,
  ENGINES,
  LIBRARIES,
  PACKAGE_IMPORTS,
  PURE,
  AMBIENT,
  libraries,
  services,
  USES_DOMAIN,
} from './deploy/ci/boundaries.mjs';

export default tseslint.config(
  { ignores: ['**/dist', '**/node_modules', '.nx', '.ponte', 'apps/movements/contracts/artifacts', 'tmp'] },
  { ignores: ['libs/sdk/src/generated', 'docs/site/snippets', 'docs/site/.vitepress'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  { plugins: { '@nx': nx } },
  { files: ['**/*.{ts,js,cjs,mjs}'], rules: { 'max-lines': ['error', 200] } },
  {
    files: ['**/*.ts'],
    // Keeps the import of a class that only a decorated constructor refers to: Nest injects by it.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-empty-object-type': 'off',
      eqeqeq: 'error',
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...AMBIENT.syntax],
      'no-restricted-globals': ['error', ...AMBIENT.globals],
      // Blocks below replace the options of ESLint's own rule, but not those of this one.
      '@typescript-eslint/no-restricted-imports': ['error', PACKAGE_IMPORTS],
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          allow: [],
          depConstraints: [
            ...Object.entries(DEPENDENCIES).map(([name, allowed]) => ({
              sourceTag: `scope:${name}`,
              onlyDependOnLibsWithTags: libraries(...allowed),
            })),
            { sourceTag: 'scope:nest', onlyDependOnLibsWithTags: libraries(...LIBRARIES) },
            { sourceTag: 'scope:cli', onlyDependOnLibsWithTags: libraries('sdk') },
            { sourceTag: 'scope:admin', onlyDependOnLibsWithTags: libraries('kernel', 'contracts', 'operator') },
            { sourceTag: 'scope:standalone', onlyDependOnLibsWithTags: ['type:app', 'type:lib'] },
            ...services.map((name) => ({
              sourceTag: `scope:${name}`,
              onlyDependOnLibsWithTags: libraries(...LIBRARIES, 'nest'),
            })),
          ],
        },
      ],
    },
  },
  {
    // Decisions only transform data.
    files: PURE,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                ...['@nestjs/*', 'node:*', 'rxjs', 'kysely'],
                ...['@ponte/nest', '@ponte/observability', '@ponte/operator', '@ponte/concurrency', '@ponte/testing'],
                ...ENGINES,
              ],
              message:
                'The domain may import only kernel, event-sourcing and contracts; pass what it needs in with the command.',
            },
            {
              group: [...USES_DOMAIN.map((role) => `**/*.${role}`), '**/adapters/**'],
              message: 'The domain does not import what uses it; pass the value in with the command.',
            },
          ],
        },
      ],
    },
  },
  {
    // Only the composition root may import adapters.
    files: ['apps/*/src/**/*.ts'],
    ignores: [
      'apps/*/src/**/*.module.ts',
      'apps/*/src/main.ts',
      'apps/*/src/**/adapters/**',
      'apps/*/src/**/*.adapter.ts',
      'apps/*/src/**/*.read-model.ts',
      'apps/*/src/**/{testing/**,*.testing.ts}',
      ...PURE,
      '**/*.spec.ts',
      'apps/standalone/**',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [...ENGINES, '@ponte/testing', '**/adapters/**', '**/*.adapter'],
              message: 'Inject the port; a *.module.ts names the adapter.',
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      'apps/*/src/**/adapters/**/*.ts',
      'apps/*/src/**/*.adapter.ts',
      'apps/*/src/**/testing/**/*.ts',
      'apps/*/src/main.ts',
      'apps/*/src/**/*.module.ts',
      'apps/*/src/*.config.ts',
      'apps/{admin,standalone}/**/*.ts',
      'apps/*/bench/**/*.ts',
      'libs/{nest,observability,operator,testing}/**/*.ts',
      'libs/{blobs,bus-*,concurrency,eventstore-*,personal-data,postgres,read-models,screening-lists}/**/*.ts',
      'libs/event-sourcing/src/failpoints.ts',
      '**/*.spec.ts',
    ],
    rules: { 'no-restricted-syntax': 'off', 'no-restricted-globals': 'off' },
  },
  {
    // Standalone composes the services and tests the whole cluster: only it may import apps.
    files: ['apps/standalone/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // Runs at partners, also in browser engines, so it may use the web platform but nothing of Node.
    files: ['libs/sdk/src/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off', 'no-restricted-globals': 'off' },
  },
  {
    files: ['libs/sdk/src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'libs/sdk/src/testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\.{1,2}/|jose$|eventsource-parser$)',
              message: 'The SDK may import only jose and eventsource-parser, and nothing of Node.',
            },
          ],
        },
      ],
    },
  },
  {
    // A separate program on top of the SDK that reads the user's environment, clock and files.
    files: ['apps/cli/**/*.ts', 'deploy/clients/**/*.ts'],
    rules: {
      'no-restricted-syntax': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^@ponte/(?!sdk$)', message: 'The command line may import no other library than the SDK.' },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.contract.ts', 'apps/*/src/testing/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    languageOptions: {
      globals: {
        require: 'readonly',
        module: 'readonly',
        process: 'readonly',
        console: 'readonly',
        __dirname: 'readonly',
        __filename: 'readonly',
        URL: 'readonly',
        setImmediate: 'readonly',
      },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
