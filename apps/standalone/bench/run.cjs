// `npm run bench` bundles the benchmark and its children, then runs the measured cluster and the load in two processes.
const { spawnSync } = require('node:child_process');
const { basename, resolve } = require('node:path');
const { bundle } = require('../../../deploy/build/bundle.cjs');

const out = resolve(__dirname, '../../../dist/bench');
const children = ['processes/cluster-child', 'processes/bare-child', 'accounts/account-child'];
const write = (file, options) =>
  bundle(resolve(__dirname, `${file}.ts`), resolve(out, `${basename(file)}.js`), options);

// Bundles the packages of the children too, as `npm start` does, for the cluster and the reference alike.
Promise.all([write('main'), ...children.map((file) => write(file, { packages: 'inside' }))]).then(() => {
  const { status } = spawnSync(process.execPath, [resolve(out, 'main.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
});
