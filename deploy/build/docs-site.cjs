// Builds the guides (`docs/site`) with the tools of their own lock file, unless neither tools nor sources have changed.
// Concurrent builds, for example of two sandboxes, run one after another.
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '../..');
const SITE = join(ROOT, 'docs/site');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const SKIPPED = new Set(['node_modules', 'dist', 'cache']);

/** The files below a folder, except installed packages and build output. */
const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]));

const hashOf = (files) => {
  const hash = createHash('sha256');
  for (const file of [...files].sort())
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
};

/** Runs the work unless the stamp has the hash of these files. Returns whether the work was run. */
function once(stamp, files, work) {
  const hash = hashOf(files);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false;
  // The gateway serves only a build with a stamp, so the stamp is removed until the new build is complete.
  rmSync(stamp, { force: true });
  work();
  mkdirSync(resolve(stamp, '..'), { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}

/** Exits with npm's code if npm fails, after npm has printed the reason. */
function run(args) {
  const { status, error } = spawnSync(npm, args, {
    cwd: SITE,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
  if (error) process.stderr.write(`npm could not be started: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
}

const LOCK = join(ROOT, 'node_modules/.cache/ponte-docs-site.lock');
const POLL_MS = 200;

/** Whether the process that holds the lock is running. The lock of a killed process does not count. */
function isHeld() {
  try {
    const holder = Number(readFileSync(LOCK, 'utf8'));
    // The lock is empty for a moment between its creation and writing the pid.
    if (holder === 0) return Date.now() - statSync(LOCK).mtimeMs < POLL_MS;
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Waits until no other build is running and takes the lock, which is removed when this process exits. */
function takeTurn() {
  mkdirSync(resolve(LOCK, '..'), { recursive: true });
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isHeld()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
      else rmSync(LOCK, { force: true });
    }
  }
  process.on('exit', () => rmSync(LOCK, { force: true }));
}

takeTurn();
const manifests = ['package.json', 'package-lock.json'].map((name) => join(SITE, name));

once(join(SITE, 'node_modules/.installed'), manifests, () =>
  run(['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
);
const sources = [...filesIn(SITE), join(ROOT, 'libs/sdk/README.md'), join(ROOT, 'apps/cli/README.md'), __filename];
const built = once(join(SITE, '.vitepress/dist/.built'), sources, () => run(['run', '--silent', 'build']));
process.stdout.write(built ? 'The guides are built: docs/site/.vitepress/dist\n' : 'The guides are up to date.\n');
