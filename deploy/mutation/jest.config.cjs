/** The unit tests of one money module, for `npm run test:mutation`. MUTATION_TESTS has their folders. */
const { join } = require('node:path');
const base = require('../../jest.config.cjs');

const folders = JSON.parse(process.env.MUTATION_TESTS ?? '[]');

module.exports = {
  ...base,
  rootDir: join(__dirname, '../..'),
  roots: base.roots.slice(0, 2),
  testMatch: folders.map((folder) => `<rootDir>/${folder}/*.spec.ts`),
  testPathIgnorePatterns: ['/node_modules/', '\\.(int|slow|anvil|e2e)\\.'],
  reporters: undefined,
};
