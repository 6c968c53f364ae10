/**
 * `npm test` runs the unit tests and the embedded end-to-end suites, in under five minutes on two cores. The
 * integration suites (`*.int.spec.ts`), each of which starts a service, are run by `npm run test:integration`.
 */
const base = require('../../../jest.config.cjs');
const { inGroups } = require('./spec-groups.cjs');

module.exports = {
  ...base,
  rootDir: '../../..',
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, '\\.int\\.spec\\.ts$'],
  ...inGroups('quick', {
    size: 12,
    isMember: (path) => path.endsWith('.spec.ts') && !/\.(int|slow)\./.test(path),
  }),
};
