// `npm run bench:rebuild` bundles the rebuild benchmark and runs it.
const { spawnSync } = require('node:child_process');
const { resolve } = require('node:path');
const { bundle } = require('../../../../deploy/build/bundle.cjs');

const out = resolve(__dirname, '../../../../dist/bench/rebuild.js');

bundle(resolve(__dirname, 'main.ts'), out).then(() => {
  const { status } = spawnSync(process.execPath, [out, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
});
