// Builds the guides (`docs/site`) with the tools of their own lockfile, unless neither tools nor sources have changed.
// Two that run at once, of two sandboxes say, take turns.
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '../..');
const SITE = join(ROOT, 'docs/site');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const SKIPPED = new Set(['node_modules', 'dist', 'cache']);

/** The files under a folder, without what is installed or built. */
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

/** Runs the work unless the stamp says that it was done for these files. */
function once(stamp, files, work) {
  const hash = hashOf(files);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false;
  // The gateway serves what has its stamp: a build that has begun has none until it is complete.
  rmSync(stamp, { force: true });
  work();
  mkdirSync(resolve(stamp, '..'), { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}

/** Ends this process when npm fails: it has said why. */
function run(args) {
  const { status, error } = spawnSync(npm, args, {
    cwd: SITE,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
  if (error) process.stderr.write(`npm does not start: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
}

const LOCK = join(ROOT, 'node_modules/.cache/ponte-docs-site.lock');
const LOOK_MS = 200;

/** Whether the process of the lock runs. A lock of one that was killed means nothing. */
function isHeld() {
  try {
    const holder = Number(readFileSync(LOCK, 'utf8'));
    // Between its creation and its text, the lock is empty for a moment.
    if (holder === 0) return Date.now() - statSync(LOCK).mtimeMs < LOOK_MS;
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Waits until no other build runs; the lock is removed when this process ends. */
function takeTurn() {
  mkdirSync(resolve(LOCK, '..'), { recursive: true });
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isHeld()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
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
