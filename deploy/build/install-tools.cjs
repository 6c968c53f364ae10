// node deploy/build/install-tools.cjs <folder>: installs the tools of a folder from its own lock file, unless they are
// installed. Tools that only one check needs are kept separate, so that `npm ci` of the root stays small.
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder: node deploy/build/install-tools.cjs deploy/validate');
const place = resolve(__dirname, '../..', folder);
const stamp = join(place, 'node_modules/.installed');
const hash = createHash('sha256')
  .update(readFileSync(join(place, 'package.json')))
  .update(readFileSync(join(place, 'package-lock.json')))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync(npm, args, { cwd: place, stdio: 'inherit' });
  writeFileSync(stamp, hash);
}
