/**
 * npm run test:node24: what `npm test` runs, on Node 24. npm brings that Node into the cache of the client tools
 * (deploy/clients), for Linux on x64 as in CI. Arguments go to jest, so `-- libs/kernel` runs a part.
 */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join, resolve } = require('node:path');
const install = require('../clients/install.cjs');

const root = resolve(__dirname, '../..');

install().then(() => {
  const node = join(install.TOOLS, 'node_modules/node24/bin/node');
  if (!existsSync(node))
    throw new Error('npm has a Node 24 of this package for Linux on x64 alone; install Node 24 and run `npm test`');
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), ...process.argv.slice(2)];
  process.exitCode = spawnSync(node, jest, { cwd: root, stdio: 'inherit' }).status ?? 1;
});
