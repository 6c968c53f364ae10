/**
 * Runs a command with another version of Node first in PATH:
 * `node deploy/ci/on-node.cjs <major> <command> [arguments]`, for example `node deploy/ci/on-node.cjs 22 npm test`.
 * That Node is installed from npm into the cache of the client tools (deploy/clients), for Linux on x64 as in CI.
 * Version 20 is the oldest that package.json accepts.
 */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');
const install = require('../clients/install.cjs');

const [major, command, ...commandArguments] = process.argv.slice(2);

install().then(() => {
  const folder = join(install.TOOLS, `node_modules/node${major}/bin`);
  if (!existsSync(join(folder, 'node')))
    throw new Error(
      `Node ${major} is available from npm only for Linux on x64; install Node ${major} and run \`${command}\` with it`,
    );
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const { error, status } = spawnSync(command, commandArguments, { stdio: 'inherit', env });
  if (error) throw error;
  process.exitCode = status ?? 1;
});
