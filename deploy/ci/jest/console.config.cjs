/**
 * `npm run test:console`: the console, the guides and the references in a real browser with a real cluster. Not part of
 * `npm test`, which needs no browser.
 */
const { existsSync } = require('node:fs');
const base = require('../../../jest.config.cjs');
const { inGroups } = require('./spec-groups.cjs');

const CHROMIUMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/lib/chromium/chromium',
];
const chromium = process.env.CONSOLE_CHROMIUM ?? CHROMIUMS.find((path) => existsSync(path));
if (chromium === undefined || !existsSync(chromium)) {
  process.stdout.write(
    'Chromium is missing: run apt-get install chromium, or set CONSOLE_CHROMIUM to its path\n0 passed, 1 failed\n',
  );
  process.exit(1);
}

module.exports = {
  ...base,
  rootDir: '../../..',
  roots: ['<rootDir>/apps/standalone/src/console'],
  testMatch: ['**/*.browser.ts'],
  globals: { CHROMIUM: chromium },
  // Each suite runs a cluster and a browser. Loading the modules takes half of the CPU time of a short suite.
  maxWorkers: 1,
  // Each wait for a page has a limit of its own.
  testTimeout: 300_000,
  ...inGroups('console', { size: 6, isMember: (path) => path.endsWith('.browser.ts') }),
};
