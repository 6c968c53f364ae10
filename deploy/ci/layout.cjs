/**
 * The layout of `apps/<service>/src` and `libs/<library>/src`, used by lint: `deploy/ci/tidy/names.cjs` checks the
 * names of files and folders, `eslint.config.mjs` what each role may import. A folder is a feature; the role of a file
 * is in its name, `<name>.<role>.ts`.
 */

/** Roles of pure code, which uses only data, the kernel, `event-sourcing` and the contracts. */
const PURE_ROLES = {
  decider: 'state, decide and evolve of an aggregate',
  state: 'the state of an aggregate, where it has a file of its own',
  domain: 'rules and values of the domain',
  errors: 'the codes that a feature refuses with',
  snapshot: 'how the state of an aggregate is stored',
  record: 'what others see of an aggregate',
};

const ROLES = {
  ...PURE_ROLES,
  command: 'a command and its handler',
  commands: 'commands of one aggregate, or the list of them',
  query: 'a query and its handler',
  queries: 'queries of one aggregate, or the list of them',
  policy: 'sends a command when an event is recorded',
  policies: 'the policies of a service',
  repository: 'the streams and the read model of an aggregate',
  'read-model': 'table, indexes, rows, pages and filters of a list',
  table: 'the definition of a table',
  'read-models': 'the read models of a service',
  job: 'work at a time, under a lease',
  timers: 'the jobs of a service',
  port: 'what a service needs from outside',
  adapter: 'an implementation of a port: `<vendor>.<port>.adapter.ts`',
  vendors: 'the vendors that a service may be configured with',
  failures: 'the failure codes of a port',
  metrics: 'the metrics of a feature',
  service: 'a class that Nest injects and that has no other role',
  module: 'a Nest module',
  config: 'the environment of a service',
  controller: 'a Nest controller',
  messages: 'the requests that a feature answers',
  controllers: 'the controllers of an area',
  guard: 'lets a request in or refuses it; a Nest guard',
  pipe: 'a Nest pipe',
  interceptor: 'a Nest interceptor',
  filter: 'a Nest exception filter',
  dto: 'the fields of a request or an answer',
  form: 'the parts of an upload',
  forms: 'the forms of a resource',
  mapper: 'records to answers',
  operations: 'the documented operations of a resource, or of an operator',
  examples: 'examples for the documents',
  verbs: 'verbs of the command line',
};

/** The kinds of tests. `spec` ends the name of a test; the other words state what it needs or which command runs it. */
const TEST_ROLES = {
  spec: 'a test',
  int: 'a test that starts services, run by `npm run test:integration`',
  e2e: 'a test of whole programs',
  slow: 'run by `npm run test:slow`',
  anvil: 'a test over a local chain',
  contract: 'the tests that every adapter of a port passes',
  testing: 'what tests of several features use',
  chaos: 'run by `npm run test:chaos`',
  browser: 'run by `npm run test:console`',
  client: 'run by `npm run test:clients`',
  docs: 'run by `npm run test:docs`',
  d: 'declarations for a module without types',
};

/** Roles whose words may also end the name of a file in their usual sense, as in `route-table.ts`. */
const ORDINARY_WORDS = ['state', 'table', 'errors', 'failures', 'examples', 'form', 'forms'];

/** Names that end in the word of another role, but in another sense. */
const OTHER_SENSES = [
  ...['account-commands', 'connection-guard', 'free-port', 'list-metrics', 'page-query'],
  ...['route-policy', 'signing-policy'],
  ...['define-event-read-model', 'define-read-model', 'shadow-read-models'],
];

/** Folder names that state a role instead of a feature and are therefore refused in a service. */
const NO_FOLDERS = [
  ...[
    'commands',
    'queries',
    'policies',
    'repositories',
    'read-models',
    'ports',
    'domain',
    'controllers',
    'dto',
    'mappers',
  ],
  ...['services', 'common', 'shared', 'utils', 'helpers', 'http'],
];

/** The largest number of files in any folder of the repository, including tests and documents. */
const MAX_FILES = 25;

module.exports = { ROLES, PURE_ROLES, TEST_ROLES, ORDINARY_WORDS, OTHER_SENSES, NO_FOLDERS, MAX_FILES };
