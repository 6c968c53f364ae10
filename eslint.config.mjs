import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import layout from './deploy/ci/layout.cjs';

/** What reads the world, and what to do instead. */
const WORLD = {
  syntax: [
    {
      selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
      message: 'Take the time from the Clock port.',
    },
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: 'Take the time from the Clock port.',
    },
    {
      selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
      message: 'Take ids from the Ids port; randomness belongs in an adapter.',
    },
    {
      selector: "MemberExpression[object.name='process'][property.name='env']",
      message: 'Read the environment in <service>.config.ts, by value, from the composition root.',
    },
  ],
  globals: ['setTimeout', 'setInterval', 'setImmediate', 'fetch'].map((name) => ({
    name,
    message: 'Use the Timers port or an adapter.',
  })),
};

const services = ['gateway', 'onboarding', 'pricing', 'orders', 'movements', 'ledger', 'webhooks'];
const libraries = (...names) => names.map((name) => `scope:${name}`);

/**
 * What each library may import. Tests beside the code of a library count too: an adapter's tests may use `testing`, and
 * some of them an embedded engine.
 */
const DEPENDENCIES = {
  kernel: [],
  'event-sourcing': ['kernel'],
  contracts: ['kernel', 'event-sourcing'],
  concurrency: ['kernel', 'event-sourcing'],
  'read-models': ['kernel', 'event-sourcing', 'contracts', 'concurrency'],
  testing: ['kernel', 'event-sourcing', 'contracts', 'read-models'],
  'personal-data': ['kernel', 'event-sourcing', 'testing'],
  'eventstore-sqlite': ['kernel', 'event-sourcing', 'concurrency', 'read-models', 'personal-data', 'testing'],
  'eventstore-eventstoredb': ['kernel', 'event-sourcing', 'concurrency', 'testing'],
  blobs: ['kernel', 'event-sourcing', 'eventstore-sqlite', 'testing'],
  'bus-in-process': ['kernel', 'event-sourcing', 'concurrency', 'testing'],
  'bus-kafka': [
    ...['kernel', 'event-sourcing', 'concurrency', 'read-models', 'bus-in-process'],
    ...['eventstore-sqlite', 'testing'],
  ],
  postgres: [
    ...['kernel', 'event-sourcing', 'contracts', 'concurrency', 'read-models', 'personal-data'],
    ...['eventstore-sqlite', 'testing'],
  ],
  operator: [
    ...['kernel', 'event-sourcing', 'contracts', 'concurrency', 'read-models'],
    ...['bus-kafka', 'eventstore-sqlite'],
  ],
  observability: ['kernel', 'event-sourcing', 'contracts', 'concurrency', 'bus-kafka', 'testing'],
  sdk: [],
};
const LIBRARIES = Object.keys(DEPENDENCIES).filter((name) => name !== 'sdk');
/** Decisions, their state, their rules and their errors. */
const PURE = Object.keys(layout.PURE_ROLES).map((role) => `apps/*/src/**/*.${role}.ts`);
/** Libraries with adapters of the ports: only composition roots and adapters name them. */
const ENGINES = [
  ...['blobs', 'bus-in-process', 'bus-kafka', 'eventstore-eventstoredb', 'eventstore-sqlite'],
  ...['personal-data', 'postgres', 'read-models'],
].map((name) => `@ponte/${name}`);

export default tseslint.config(
  { ignores: ['**/dist', '**/node_modules', '.nx', '.ponte', 'apps/movements/contracts/artifacts', 'tmp'] },
  { ignores: ['libs/sdk/src/generated', 'docs/site/snippets', 'docs/site/.vitepress'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  { plugins: { '@nx': nx } },
  {
    files: ['**/*.ts'],
    // With these, a class that only a decorated constructor names keeps its import: Nest injects by it.
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
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...WORLD.syntax],
      'no-restricted-globals': ['error', ...WORLD.globals],
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
    // The decisions: nothing but data in and data out.
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
                'The domain sees kernel, event-sourcing and contracts alone; what it needs comes in with the command.',
            },
            {
              group: [
                ...[
                  'port',
                  'adapter',
                  'read-model',
                  'repository',
                  'command',
                  'query',
                  'policy',
                  'job',
                  'module',
                  'config',
                ],
              ]
                .map((role) => `**/*.${role}`)
                .concat('**/adapters/**'),
              message: 'The domain does not import what uses it; pass the value in with the command.',
            },
          ],
        },
      ],
    },
  },
  {
    // Adapters are named in the composition root alone.
    files: ['apps/*/src/**/*.ts'],
    ignores: [
      'apps/*/src/**/*.module.ts',
      'apps/*/src/main.ts',
      'apps/*/src/**/adapters/**',
      'apps/*/src/**/*.adapter.ts',
      'apps/*/src/**/*.read-model.ts',
      'apps/*/src/**/testing/**',
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
              group: [...ENGINES, '@ponte/testing'],
              message: 'Inject the port; a *.module.ts names the adapter.',
            },
            {
              group: ['**/adapters/**', '**/*.adapter'],
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
      'apps/standalone/**/*.ts',
      'apps/*/bench/**/*.ts',
      'libs/{nest,observability,operator,testing}/**/*.ts',
      'libs/{blobs,bus-*,concurrency,eventstore-*,personal-data,postgres,read-models}/**/*.ts',
      'libs/event-sourcing/src/failpoints.ts',
      '**/*.spec.ts',
    ],
    rules: { 'no-restricted-syntax': 'off', 'no-restricted-globals': 'off' },
  },
  {
    // Standalone composes the services, and contains the tests of the whole cluster: the one place that may import
    // apps.
    files: ['apps/standalone/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // Runs at the partner's: in browsers' engines too, so it may use the web platform, and nothing of Node.
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
              message: 'The SDK depends on jose and eventsource-parser alone, and imports nothing of Node.',
            },
          ],
        },
      ],
    },
  },
  {
    // The administrator's command line is a program of its own, over the staff API alone.
    files: ['apps/admin/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off', 'no-restricted-globals': 'off' },
  },
  {
    // A program of its own over the SDK: it reads the user's environment, clock and files.
    files: ['apps/cli/**/*.ts', 'deploy/clients/**/*.ts'],
    rules: {
      'no-restricted-syntax': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^@ponte/(?!sdk$)', message: 'The command line is built with the SDK alone.' }] },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.contract.ts', 'apps/*/src/testing/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': ['error', 400] },
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
