// node deploy/build/reused-bundle.cjs <entry.ts> <out.cjs>: like `bundle.cjs <entry.ts> <out.cjs> inside`, but bundles
// only if no bundle of the same sources was kept. Bundling takes ten seconds of CPU time, and forty suites need it.
const { createHash } = require('node:crypto');
const { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');
const { bundle } = require('./bundle.cjs');

const ROOT = resolve(__dirname, '../..');
/** Everything that decides what a bundle contains. The last one names the installed packages. */
const SOURCES = ['apps', 'libs', 'deploy/build', 'tsconfig.base.json', 'node_modules/.package-lock.json'];
const KEPT = join(ROOT, 'node_modules/.cache/ponte-bundles');
const IS_TEST = /\.spec\.ts$/;
/** A bundle of this age is removed, since it is probably of earlier sources. */
const KEPT_MS = 86_400_000;

/** Adds the names and contents of all files of a folder, or of one file, to the hash. */
function addSources(hash, path) {
  if (!statSync(path).isDirectory()) {
    if (!IS_TEST.test(path)) hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
    return;
  }
  for (const name of readdirSync(path).sort()) if (name !== 'node_modules') addSources(hash, join(path, name));
}

/** Bundles an entry with its packages, or copies the bundle of the same sources from `kept`. */
async function reusedBundle(entry, outfile, { kept = KEPT, sources = SOURCES } = {}) {
  const hash = createHash('sha256').update(relative(ROOT, resolve(entry)));
  for (const source of sources) addSources(hash, resolve(ROOT, source));
  const bundled = join(kept, `${hash.digest('hex')}.cjs`);
  if (!existsSync(bundled)) {
    mkdirSync(kept, { recursive: true });
    for (const name of readdirSync(kept))
      if (Date.now() - statSync(join(kept, name)).mtimeMs > KEPT_MS) rmSync(join(kept, name), { force: true });
    // Renamed when it is complete, since another process may make the same bundle at this moment.
    const incomplete = `${bundled}.${process.pid}`;
    await bundle(entry, incomplete, { packages: 'inside', sourcemap: false });
    renameSync(incomplete, bundled);
  }
  cpSync(bundled, outfile);
}

module.exports = { reusedBundle };

if (require.main === module) {
  const [entry, outfile] = process.argv.slice(2);
  reusedBundle(entry, outfile).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}
