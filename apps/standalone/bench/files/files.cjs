// `npm run files` lists the source files that one quote and one order run through.
const { spawnSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { bundle } = require('../../../../deploy/build/bundle.cjs');
const { probes } = require('./probes.cjs');

const out = resolve(__dirname, '../../../../dist/bench/files.js');
const { plugin, files } = probes();
bundle(resolve(__dirname, 'files.ts'), out, { packages: 'inside', sourcemap: false, first: [plugin] }).then(() => {
  writeFileSync(`${out}.probes.json`, JSON.stringify(files));
  const { status } = spawnSync(process.execPath, [out], {
    stdio: 'inherit',
    // Disables failpoints, as in the image.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  process.exitCode = status ?? 1;
});
