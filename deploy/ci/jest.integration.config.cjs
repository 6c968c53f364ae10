/** `npm run test:integration` runs the suites that start services, except those of `npm run test:slow`. */
const base = require('../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: ['**/*.int.spec.ts'],
};
