// npm run test:cluster: the story and the traces, unchanged, against npm run cluster: seven processes over real Kafka and PostgreSQL. The suites of races,
// privacy and the whole API can be run there too (PONTE_E2E=cluster).
process.env.PONTE_E2E = 'cluster';
const base = require('../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: ['story', 'tracing'].map((suite) => `<rootDir>/apps/standalone/src/e2e/${suite}.e2e.spec.ts`),
  maxWorkers: 1,
  testTimeout: 240_000,
};
