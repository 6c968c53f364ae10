// npm run cluster: bundles the program that starts the processes, and runs it. The services themselves are the builds in dist/apps.
const { spawn } = require('node:child_process');
const { resolve } = require('node:path');
const { bundle } = require('../../../deploy/build/bundle.cjs');

const root = resolve(__dirname, '../../..');
const out = resolve(root, 'dist/cluster');
const entries = { main: resolve(__dirname, 'main.ts'), 'event-store': resolve(root, 'libs/testing/src/esdb-server/serve.ts') };

Promise.all(Object.entries(entries).map(([name, entry]) => bundle(entry, resolve(out, `${name}.js`)))).then(() => {
  const child = spawn(process.execPath, [resolve(out, 'main.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => { process.exitCode = code ?? 1; });
});
