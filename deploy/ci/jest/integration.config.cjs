/** `npm run test:integration` runs the suites that start services, except those of `npm run test:slow`. */
const base = require('../../../jest.config.cjs');
const { inGroups } = require('./spec-groups.cjs');

module.exports = {
  ...base,
  rootDir: '../../..',
  testMatch: ['**/*.int.spec.ts'],
  ...inGroups('integration', {
    size: 8,
    isMember: (path) => /(?<!\.slow)\.int\.spec\.ts$/.test(path) && !/\.slow\./.test(path),
  }),
};
