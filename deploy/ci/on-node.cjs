/**
 * Runs all tests but the slow ones on another version of Node: `node deploy/ci/on-node.cjs <major> [jest arguments]`,
 * for example `npm run test:node22 -- libs/kernel`. That Node is installed from npm into the cache of the client tools
 * (deploy/clients), for Linux on x64 as in CI. Version 20 is the oldest that package.json accepts.
 */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join, resolve } = require('node:path');
const install = require('../clients/install.cjs');

const root = resolve(__dirname, '../..');
const [major, ...jestArguments] = process.argv.slice(2);

install().then(() => {
  const node = join(install.TOOLS, `node_modules/node${major}/bin/node`);
  if (!existsSync(node))
    throw new Error(
      `Node ${major} is available from npm only for Linux on x64; install Node ${major} and run \`npx jest\``,
    );
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), ...jestArguments];
  process.exitCode = spawnSync(node, jest, { cwd: root, stdio: 'inherit' }).status ?? 1;
});
