/**
 * `npm test` runs the unit tests and the embedded end-to-end suites, in under five minutes on two cores. The
 * integration suites (`*.int.spec.ts`), each of which starts a service, are run by `npm run test:integration`.
 */
const base = require('../../jest.config.cjs');

module.exports = {
  ...base,
  rootDir: '../..',
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, '\\.int\\.spec\\.ts$'],
};
