// node apps/gateway/bench/run.cjs: what the edge alone adds to a quote, beside a bare route. `npm run bench` measures
// the whole.
const { spawnSync } = require('node:child_process');
const { resolve } = require('node:path');
const { bundle } = require('../../../deploy/build/bundle.cjs');

const out = resolve(__dirname, '../../../dist/bench/quote-cost.js');
bundle(resolve(__dirname, 'quote-cost.ts'), out).then(() => {
  process.exitCode = spawnSync(process.execPath, [out], { stdio: 'inherit' }).status ?? 1;
});
