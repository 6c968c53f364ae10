// npm run test:cluster: end-to-end suites, unchanged, against npm run cluster: seven processes over real Kafka and
// PostgreSQL. CLUSTER_SUITES names others of apps/standalone/src/e2e, with commas between, and `all` runs every one of
// them, which takes more than half an hour: the gate has not that long. `chaos` is a short form of npm run test:chaos:
// a service, the broker and the event store are killed once each under a light load, unless CHAOS_* say otherwise.
process.env.PONTE_E2E = 'cluster';
const base = require('../../jest.config.cjs');

const suites = (
  process.env.CLUSTER_SUITES ||
  'story,tracing,trace-context,api,api-keys,api-errors,newcomer,privacy,privacy-onboarding,quiet-start,crash-retry'
).split(',');
const SHORT_CHAOS = {
  CHAOS_KILLS: '1',
  CHAOS_TARGETS: 'orders,kafka,event-store',
  CHAOS_RATE: '2',
  CHAOS_MOST: '8',
  CHAOS_ACCOUNTS: '2',
};
if (suites.includes('chaos')) Object.assign(process.env, { ...SHORT_CHAOS, ...process.env });

const place = (suite) =>
  suite === 'chaos' ? 'chaos/kills.chaos.ts' : `e2e/**/${suite === 'all' ? '*' : suite}.e2e?(.slow).spec.ts`;

module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: suites.map((suite) => `<rootDir>/apps/standalone/src/${place(suite)}`),
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 240_000,
};
