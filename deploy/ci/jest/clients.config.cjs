/**
 * `npm run test:clients`: the packed SDK and clients made by third-party generators, against a sandbox. Not part of
 * `npm test`, because it installs those generators from npm and PyPI.
 */
const base = require('../../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../../..',
  roots: ['<rootDir>/apps/standalone/src/clients'],
  testMatch: ['**/*.client.ts'],
  globalSetup: '<rootDir>/deploy/clients/install.cjs',
  maxWorkers: 1,
  testTimeout: 600_000,
};
