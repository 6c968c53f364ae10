/** `npm run test:slow` runs the suites that each take ten seconds or more, some of which `test:engines` runs too. */
const base = require('../../jest.config.cjs');
const { inGroups } = require('./spec-groups.cjs');

/**
 * Suites that the gate (`CI`) leaves out, because it has only 40 minutes: kills at every step of certificates, token
 * deposits, token transfers and withdrawals by Pix or of tokens (one to six minutes each), 72 hours of outage for
 * 50,000 deliveries (four minutes), 2,000 transfers on a stormy chain (one minute, or many on a busy machine), and the
 * uploads, whose limit of resident memory depends on the machine. Run them before a release.
 */
const NOT_IN_THE_GATE = [
  'transfer-kill',
  'token-withdrawal-kill',
  'pix-withdrawal-kill',
  'token-deposit-kill',
  'certificate-kill',
  'deliveries/outage',
  'stormy-chain',
  'uploads\\.e2e',
];

/**
 * Suites that are not grouped with others: the longest, those that measure memory, and those with a time limit of their
 * own (`jest.setTimeout` is valid for all suites of a group).
 */
const ALONE = [
  'gateway/src/server/attack\\.slow',
  'kill',
  'races',
  'freezes',
  'provisioning',
  'deploy/ci/',
  'bench/files',
  'large-lists',
  'dead-endpoints',
  'tar-pit',
  'priced-quotes',
  'uploads',
  'deliveries/outage',
  'stormy-chain',
];

/**
 * `npm run test:engines` runs these suites too, so the gate leaves them to that script. Without `CI`, both scripts run
 * them, because one may be run without the other.
 */
const WITH_THE_ENGINES = ['libs/eventstore-eventstoredb/'];
const isEngines = process.env.PONTE_TEST_ENGINES === 'real';

// Because of its 40 minutes, the gate also races less often.
if (process.env.CI) {
  process.env.RACES_ROUNDS ??= '25';
  process.env.PAIR_RACES_QUOTES ??= '100';
}

const skipped = process.env.CI ? [...NOT_IN_THE_GATE, ...(isEngines ? [] : WITH_THE_ENGINES)] : [];
const isOneOf = (patterns) => (path) => patterns.some((pattern) => new RegExp(pattern).test(path));

module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: ['**/*.slow.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...skipped],
  maxWorkers: 3,
  testTimeout: 300_000,
  // Suites that run alone come first, because the longest are among them.
  testSequencer: '<rootDir>/deploy/ci/by-name-sequencer.cjs',
  ...inGroups('slow', {
    size: 4,
    isMember: (path) => path.endsWith('.slow.spec.ts') && !isOneOf(skipped)(path),
    runsAlone: isOneOf(ALONE),
  }),
};
