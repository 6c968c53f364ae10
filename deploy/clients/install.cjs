/** Jest's global setup: installs the tools of `package.json` into a cache, again when the lock file changes. */
const { execFileSync } = require('node:child_process');
const { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const TOOLS = resolve(__dirname, '../../node_modules/.cache/ponte-clients');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

module.exports = async function install() {
  const lock = readFileSync(join(__dirname, 'package-lock.json'), 'utf8');
  const stamp = join(TOOLS, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  mkdirSync(TOOLS, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(__dirname, file), join(TOOLS, file));
  execFileSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: TOOLS,
    // The output of npm goes to stderr, because scripts read what a command on another Node prints.
    stdio: ['inherit', process.stderr, 'inherit'],
  });
  writeFileSync(stamp, lock);
};

module.exports.TOOLS = TOOLS;
