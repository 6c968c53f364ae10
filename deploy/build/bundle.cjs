// Bundles one TypeScript entry that is not an app itself (a benchmark, a child process of a test):
// node deploy/build/bundle.cjs <entry.ts> <out.js> [inside]
const { readdirSync } = require('node:fs');
const { resolve } = require('node:path');
const esbuild = require('esbuild');
const separateFiles = require('./esbuild.config.cjs');
const oneFile = require('./one-file.config.cjs');

/**
 * Writes the bundle and, by default, its source map. Packages stay outside, as in the apps, or are bundled with
 * `inside`, as in the embedded cluster. The plugins `first` come before those of every bundle.
 */
async function bundle(entry, outfile, { packages = 'outside', sourcemap = true, first = [] } = {}) {
  const root = resolve(__dirname, '../..');
  const options = packages === 'inside' ? oneFile : { ...separateFiles, packages: 'external' };
  await esbuild.build({
    entryPoints: [resolve(entry)],
    outfile: resolve(outfile),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    ...options,
    sourcemap,
    plugins: [...first, ...options.plugins],
    tsconfig: resolve(root, 'tsconfig.base.json'),
    alias: Object.fromEntries(
      readdirSync(resolve(root, 'libs')).map((lib) => [`@ponte/${lib}`, resolve(root, `libs/${lib}/src/index.ts`)]),
    ),
  });
}

module.exports = { bundle };

if (require.main === module) {
  const [entry, outfile, packages] = process.argv.slice(2);
  bundle(entry, outfile, { packages }).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}
