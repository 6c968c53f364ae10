// node libs/eventstore-eventstoredb/src/bench/run.cjs: compares appends and subscriptions through the adapter with the
// bare client, on the server of ESDB_URL or on the test server in a separate process.
const { spawn, spawnSync } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');
const { createInterface } = require('node:readline');
const { bundle } = require('../../../../deploy/build/bundle.cjs');

const out = resolve(__dirname, '../../../../node_modules/.cache/ponte-esdb-bench');

async function main() {
  await bundle(resolve(__dirname, 'main.ts'), join(out, 'main.js'));
  await bundle(resolve(__dirname, '../../../testing/src/esdb-server/serve.ts'), join(out, 'serve.js'));
  if (process.env.ESDB_URL)
    return spawnSync(process.execPath, [join(out, 'main.js'), process.env.ESDB_URL], { stdio: 'inherit' }).status ?? 1;
  const folder = mkdtempSync(join(tmpdir(), 'ponte-esdb-bench-'));
  const server = spawn(process.execPath, [join(out, 'serve.js'), '--port', '0', '--file', join(folder, 'esdb.log')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const line = await new Promise((done) => {
      createInterface({ input: server.stdout }).once('line', done);
    });
    return (
      spawnSync(process.execPath, [join(out, 'main.js'), JSON.parse(line).connectionString], { stdio: 'inherit' })
        .status ?? 1
    );
  } finally {
    server.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

main().then((status) => {
  process.exitCode = status;
});
