/** npm run test:slow: the suites that `npm test` leaves out because each takes more than ten seconds. */
const base = require('../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: ['**/*.slow.spec.ts'],
  // The attack is judged by how long a second partner waits, which a busy machine of CI cannot say.
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.CI ? ['attack\\.slow'] : [])],
  testTimeout: 300_000,
};
