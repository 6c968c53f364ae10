import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

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
            { sourceTag: 'scope:kernel', onlyDependOnLibsWithTags: [] },
            { sourceTag: 'scope:event-sourcing', onlyDependOnLibsWithTags: libraries('kernel') },
            { sourceTag: 'scope:contracts', onlyDependOnLibsWithTags: libraries('kernel', 'event-sourcing') },
            {
              sourceTag: 'scope:engines',
              onlyDependOnLibsWithTags: libraries('kernel', 'event-sourcing', 'contracts', 'testing'),
            },
            {
              sourceTag: 'scope:nest',
              onlyDependOnLibsWithTags: libraries('kernel', 'event-sourcing', 'contracts', 'engines', 'testing'),
            },
            {
              sourceTag: 'scope:testing',
              onlyDependOnLibsWithTags: libraries('kernel', 'event-sourcing', 'contracts'),
            },
            { sourceTag: 'scope:sdk', onlyDependOnLibsWithTags: [] },
            { sourceTag: 'scope:cli', onlyDependOnLibsWithTags: libraries('sdk') },
            { sourceTag: 'scope:standalone', onlyDependOnLibsWithTags: ['type:app', 'type:lib'] },
            ...services.map((name) => ({
              sourceTag: `scope:${name}`,
              onlyDependOnLibsWithTags: libraries(
                'kernel',
                'event-sourcing',
                'contracts',
                'engines',
                'nest',
                'testing',
              ),
            })),
          ],
        },
      ],
    },
  },
  {
    // The decisions: nothing but data in and data out.
    files: ['apps/*/src/domain/**/*.ts', 'apps/*/src/**/*.decider.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@nestjs/*', 'node:*', 'rxjs', 'kysely', '@ponte/nest', '@ponte/engines', '@ponte/testing'],
              message:
                'The domain sees kernel, event-sourcing and contracts alone; what it needs comes in with the command.',
            },
            {
              group: ['**/adapters/**', '**/ports/**', '**/views/**', '**/commands/**'],
              message: 'The domain does not look outward; pass the fact in with the command.',
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
      'apps/*/src/*.module.ts',
      'apps/*/src/main.ts',
      'apps/*/src/adapters/**',
      'apps/*/src/**/*.adapter.ts',
      'apps/*/src/**/*.read-model.ts',
      'apps/*/src/domain/**',
      'apps/*/src/**/*.decider.ts',
      '**/*.spec.ts',
      'apps/standalone/**',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@ponte/engines', '@ponte/testing'],
              message: 'Inject the port; <service>.module.ts names the adapter.',
            },
            {
              group: ['**/adapters/**', '**/*.adapter'],
              message: 'Inject the port; <service>.module.ts names the adapter.',
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      'apps/*/src/adapters/**/*.ts',
      'apps/*/src/**/*.adapter.ts',
      'apps/*/src/main.ts',
      'apps/*/src/*.module.ts',
      'apps/*/src/*.config.ts',
      'apps/standalone/**/*.ts',
      'apps/*/bench/**/*.ts',
      'libs/engines/**/*.ts',
      'libs/nest/**/*.ts',
      'libs/testing/**/*.ts',
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
