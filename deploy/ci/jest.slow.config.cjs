/** npm run test:slow: the suites that `npm test` leaves out because each takes more than ten seconds. */
const base = require('../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: ['**/*.slow.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
};
