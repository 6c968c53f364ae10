// Bundles the program that starts the processes of a cluster, and the event store's server. The services are not
// bundled here: they are the builds in dist/apps.
const { resolve } = require('node:path');
const { bundle } = require('../../../deploy/build/bundle.cjs');

const root = resolve(__dirname, '../../..');
const out = resolve(root, 'dist/cluster');
const entries = {
  main: resolve(__dirname, 'main.ts'),
  'event-store': resolve(root, 'libs/testing/src/esdb-server/serve.ts'),
};

Promise.all(Object.entries(entries).map(([name, entry]) => bundle(entry, resolve(out, `${name}.js`)))).catch(
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
