// npm run test:cluster: end-to-end suites, unchanged, against npm run cluster: seven processes over real Kafka and PostgreSQL. CLUSTER_SUITES names others
// of apps/standalone/src/e2e, with commas between, and `all` runs every one of them, which takes more than half an hour: the gate has not that long.
process.env.PONTE_E2E = 'cluster';
const base = require('../../jest.config.cjs');

const suites = (process.env.CLUSTER_SUITES || 'story,tracing,api,privacy,privacy-onboarding').split(',');

module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: suites.map((suite) => `<rootDir>/apps/standalone/src/e2e/${suite === 'all' ? '*' : suite}.e2e.spec.ts`),
  maxWorkers: 1,
  testTimeout: 240_000,
};
