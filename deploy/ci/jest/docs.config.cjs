/**
 * `npm run test:docs` runs every snippet of the guides against a sandbox. Not part of `npm test`, because it builds the
 * site and needs curl and jq.
 */
const base = require('../../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../../..',
  roots: ['<rootDir>/apps/standalone/src/docs-site'],
  testMatch: ['**/*.docs.ts'],
  // The suites mostly wait for orders and for their time limits.
  maxWorkers: 2,
  testTimeout: 180_000,
};
