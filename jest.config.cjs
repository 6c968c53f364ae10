const { availableParallelism } = require('node:os');

/**
 * All suites but the slow ones, for `npx jest <path>`. The scripts in package.json run parts of them: see the
 * configurations in deploy/ci/jest. swc only strips the types, so most of the cost of a suite is loading its modules.
 */
module.exports = {
  // One cache for all configurations. By default each has its own, and every stage of the gate would compile all files.
  id: __dirname.replaceAll(/\W/g, '_'),
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/deploy/ci'],
  testMatch: ['**/*.spec.ts'],
  // Suites of about ten seconds and more (kills, real chains, thousands of rounds) are run by `npm run test:slow`.
  testPathIgnorePatterns: ['/node_modules/', '\\.slow\\.spec\\.ts$'],
  transform: { '^.+\\.(ts|js)$': '@swc/jest' },
  // These packages are published only as ES modules or use dynamic imports, while Jest loads CommonJS.
  transformIgnorePatterns: ['/node_modules/(?!(jose|openid-client|oauth4webapi|@opentelemetry/otlp-exporter-base)/)'],
  moduleNameMapper: { '^@ponte/([^/]+)$': '<rootDir>/libs/$1/src/index.ts' },
  // The gate assumes two cores, which suites leave idle for half of their time. A developer's machine uses half of its
  // cores.
  maxWorkers: process.env.CI ? 3 : Math.max(2, Math.floor(availableParallelism() / 2)),
  // A new process for each file. What suites leave behind, such as hooks of `node:async_hooks`, slows every promise of
  // those that follow: six groups of integration suites took 128 s in two processes, and 74 s in six.
  workerIdleMemoryLimit: '1MB',
  reporters: ['default', '<rootDir>/deploy/ci/jest/tally-reporter.cjs'],
  // Meant for hanging tests, not for slow machines: with five times the load that two cores can handle, some tests take
  // half a minute.
  testTimeout: 120_000,
};
