// npm run test:chaos: kill -9 at random under load, against npm run cluster. CHAOS_KILLS, CHAOS_RATE, CHAOS_SEED,
// CHAOS_TARGETS and PONTE_REPLICAS say how much of what; apps/standalone/src/chaos/settings.ts tells them.
process.env.PONTE_E2E = 'cluster';
const base = require('../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/apps/standalone/src/chaos/kills.chaos.ts'],
  maxWorkers: 1,
  // What it says while it runs comes as it is said.
  verbose: false,
};
