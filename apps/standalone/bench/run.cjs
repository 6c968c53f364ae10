// `npm run bench` bundles the benchmark and its children, then runs the measured cluster and the load in two processes.
const { spawnSync } = require('node:child_process');
const { resolve } = require('node:path');
const { bundle } = require('../../../deploy/build/bundle.cjs');

const out = resolve(__dirname, '../../../dist/bench');
const entries = ['main', 'cluster-child', 'bare-child', 'account-child'];

// Bundles the packages too, as `npm start` does, for the cluster and the reference alike.
Promise.all(
  entries.map((name) => bundle(resolve(__dirname, `${name}.ts`), resolve(out, `${name}.js`), { packages: 'inside' })),
).then(() => {
  const { status } = spawnSync(process.execPath, [resolve(out, 'main.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
});
