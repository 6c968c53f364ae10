/**
 * The packed SDK and the clients of other people's generators, against a sandbox: `npm run test:clients`. Apart from
 * `npm test`, because it installs those generators from npm and PyPI.
 */
const base = require('../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/apps/standalone/src/clients'],
  testMatch: ['**/*.client.ts'],
  globalSetup: '<rootDir>/deploy/clients/install.cjs',
  maxWorkers: 1,
  testTimeout: 300_000,
};
