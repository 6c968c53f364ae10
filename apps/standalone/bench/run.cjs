// npm run bench: bundles the benchmark and its children, then runs it on two processes, the measured one and the load.
const { spawnSync } = require('node:child_process');
const { resolve } = require('node:path');
const { bundle } = require('../../../deploy/build/bundle.cjs');

const out = resolve(__dirname, '../../../dist/bench');
const entries = ['main', 'cluster-child', 'bare-child', 'account-child'];

// Packages inside, as `npm start` has them; so the reference gets what the cluster gets.
Promise.all(
  entries.map((name) => bundle(resolve(__dirname, `${name}.ts`), resolve(out, `${name}.js`), { packages: 'inside' })),
).then(() => {
  const { status } = spawnSync(process.execPath, [resolve(out, 'main.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
});
