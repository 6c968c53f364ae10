// `npm run test:cluster` runs unchanged end-to-end suites against `npm run cluster`: seven processes with real Kafka
// and PostgreSQL. CLUSTER_SUITES selects other suites of apps/standalone/src/e2e, separated by commas. `all` runs every
// suite, which takes more than half an hour, too long for the gate. `chaos` is a short form of `npm run test:chaos`: it
// kills a service, the broker and the event store once each under a light load, unless CHAOS_* are set.
process.env.PONTE_E2E = 'cluster';
const { readdirSync } = require('node:fs');
const { basename, resolve } = require('node:path');
const base = require('../../../jest.config.cjs');

const suites = (process.env.CLUSTER_SUITES || 'demo,tracing,api,privacy,quiet-start,crash-retry').split(',');
const SHORT_CHAOS = {
  CHAOS_KILLS: '1',
  CHAOS_TARGETS: 'orders,kafka,event-store',
  CHAOS_RATE: '2',
  CHAOS_MAX_REQUESTS: '8',
  CHAOS_ACCOUNTS: '2',
};
if (suites.includes('chaos')) Object.assign(process.env, { ...SHORT_CHAOS, ...process.env });

// Jest does not report a pattern that matches no file, such as that of a suite that was renamed.
const files = readdirSync(resolve(__dirname, '../../../apps/standalone/src/e2e'), { recursive: true }).map((file) =>
  basename(file),
);
const exists = (suite) =>
  ['all', 'chaos'].includes(suite) ||
  [`${suite}.e2e.spec.ts`, `${suite}.e2e.slow.spec.ts`].some((file) => files.includes(file));
const missing = suites.filter((suite) => !exists(suite));
if (missing.length > 0) throw new Error(`there is no end-to-end suite called ${missing.join(' or ')}`);

const place = (suite) =>
  suite === 'chaos' ? 'chaos/kills.chaos.ts' : `e2e/**/${suite === 'all' ? '*' : suite}.e2e?(.slow).spec.ts`;

module.exports = {
  ...base,
  rootDir: '../../..',
  testMatch: suites.map((suite) => `<rootDir>/apps/standalone/src/${place(suite)}`),
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 240_000,
};
