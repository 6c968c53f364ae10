// node deploy/build/install-tools.cjs <folder>: installs the tools of a folder from its own lock file, unless they are
// installed. Tools that only one check needs are kept separate, so that `npm ci` of the root stays small.
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder: node deploy/build/install-tools.cjs deploy/validate');
const place = resolve(__dirname, '../..', folder);
const stamp = join(place, 'node_modules/.installed');
const hash = createHash('sha256')
  .update(readFileSync(join(place, 'package.json')))
  .update(readFileSync(join(place, 'package-lock.json')))
  .digest('hex');

const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/** Longer than any installation, so a lock of this age was left behind by a process that was killed. */
const STALE_MS = 10 * 60_000;
const POLL_MS = 200;
const lock = join(tmpdir(), `ponte-install-${createHash('sha256').update(place).digest('hex').slice(0, 16)}`);

/** Two test workers may need the same tools at the same time: one installs them, and the others wait. */
function locked(work) {
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const held = statSync(lock, { throwIfNoEntry: false });
      if (held && Date.now() - held.mtimeMs > STALE_MS) rmSync(lock, { recursive: true, force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    }
  }
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

if (!isInstalled())
  locked(() => {
    if (isInstalled()) return;
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync(npm, args, { cwd: place, stdio: 'inherit' });
    writeFileSync(stamp, hash);
  });
