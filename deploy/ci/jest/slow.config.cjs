/** `npm run test:slow` runs the suites that each take ten seconds or more, some of which `test:engines` runs too. */
const base = require('../../../jest.config.cjs');

/**
 * Suites that the gate (`CI`) leaves out, because it has only 40 minutes: kills at every step of certificates, token
 * deposits, token transfers and withdrawals by Pix or of tokens (one to six minutes each), 72 hours of outage for
 * 50,000 deliveries (four minutes), 2,000 transfers on a stormy chain (one minute, or many on a busy machine), freezes
 * at every step of an order (two minutes; other suites freeze accounts within one service), large numbers of dead
 * endpoints and of listed people, and the uploads, whose limit of resident memory depends on the machine. Run them
 * before a release.
 */
const NOT_IN_THE_GATE = [
  'transfer-kill',
  'token-withdrawal-kill',
  'pix-withdrawal-kill',
  'token-deposit-kill',
  'certificate-kill',
  'deliveries/outage',
  'stormy-chain',
  'order-attacks/freezes',
  'journal/dead-endpoints',
  'adapters/large-lists',
  'uploads\\.e2e',
];

/**
 * `npm run test:engines` runs these suites too, so the gate leaves them to that script. Without `CI`, both scripts run
 * them, because one may be run without the other.
 */
const WITH_THE_ENGINES = ['libs/eventstore-eventstoredb/'];
const isEngines = process.env.PONTE_TEST_ENGINES === 'real';

// Because of its 40 minutes, the gate also races less often and kills at every other step.
if (process.env.CI) {
  process.env.KILL_POINTS ??= 'half';
  process.env.RACES_ROUNDS ??= '25';
  process.env.PAIR_RACES_QUOTES ??= '100';
}

module.exports = {
  ...base,
  rootDir: '../../..',
  testMatch: ['**/*.slow.spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.CI ? [...NOT_IN_THE_GATE, ...(isEngines ? [] : WITH_THE_ENGINES)] : []),
  ],
  maxWorkers: 3,
  testTimeout: 300_000,
};
