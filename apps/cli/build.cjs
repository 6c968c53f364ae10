/**
 * Builds the published package: a single file without dependencies, so that `npx @ponte/cli` starts quickly.
 * node apps/cli/build.cjs [folder]
 */
const { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const esbuild = require('esbuild');

const root = resolve(__dirname, '../..');
const BUNDLED = ['commander', '@bomb.sh/tab', 'jose', 'eventsource-parser'];

/** @param {string} out the folder of the package */
async function build(out) {
  const { version } = JSON.parse(readFileSync(join(__dirname, 'package.json'), 'utf8'));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await esbuild.build({
    entryPoints: [join(__dirname, 'src/main.ts')],
    outfile: join(out, 'ponte.js'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    banner: { js: '#!/usr/bin/env node' },
    define: { PONTE_VERSION: JSON.stringify(version) },
    alias: { '@ponte/sdk': join(root, 'libs/sdk/src/index.ts') },
  });
  for (const file of ['package.json', 'README.md']) copyFileSync(join(__dirname, file), join(out, file));
  writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), BUNDLED.map(licenceOf).join('\n'));
}

function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const file = ['LICENSE', 'LICENSE.md', 'license'].map((one) => join(folder, one)).find(existsSync);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(file, 'utf8') : ''}`;
}

module.exports = { build };

if (require.main === module) build(resolve(process.argv[2] ?? join(root, 'dist/apps/cli')));
