// `npm run test:chaos` kills processes of `npm run cluster` at random with SIGKILL under load. CHAOS_KILLS, CHAOS_RATE,
// CHAOS_SEED, CHAOS_TARGETS and PONTE_REPLICAS control it; see apps/standalone/src/chaos/testing/settings.ts.
process.env.PONTE_E2E = 'cluster';
const base = require('../../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../../..',
  testMatch: ['<rootDir>/apps/standalone/src/chaos/kills.chaos.ts'],
  maxWorkers: 1,
  // Prints output immediately while the test is running.
  verbose: false,
};
