const { availableParallelism } = require('node:os');

/** One run over the whole workspace: swc strips the types, so the cost of a suite is loading its modules. */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/deploy/ci'],
  testMatch: ['**/*.spec.ts'],
  // Suites of about ten seconds and more (kills, real chains, thousands of rounds) run by `npm run test:slow`.
  testPathIgnorePatterns: ['/node_modules/', '\\.slow\\.spec\\.ts$'],
  transform: { '^.+\\.(ts|js)$': '@swc/jest' },
  // These are published as ES modules alone, or import something while they run; jest loads CommonJS.
  transformIgnorePatterns: ['/node_modules/(?!(jose|openid-client|oauth4webapi|@opentelemetry/otlp-exporter-base)/)'],
  moduleNameMapper: { '^@ponte/([^/]+)$': '<rootDir>/libs/$1/src/index.ts' },
  // The gate and the slow suites count on two cores; a developer's machine uses half of its own.
  maxWorkers: process.env.CI ? 2 : Math.max(2, Math.floor(availableParallelism() / 2)),
  reporters: ['default', '<rootDir>/deploy/ci/tally-reporter.cjs'],
  // For tests that hang, not for slow machines: with five times as much to do as two cores can, some take half a
  // minute.
  testTimeout: 120_000,
};
