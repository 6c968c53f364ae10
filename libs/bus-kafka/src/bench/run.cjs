// node libs/bus-kafka/src/bench/run.cjs: request and reply over the bus beside a bare kafkajs echo, on
// KAFKA_BROKERS or a local broker.
const { spawnSync } = require('node:child_process');
const { resolve } = require('node:path');
const { bundle } = require('../../../../deploy/build/bundle.cjs');

const out = resolve(__dirname, '../../../../dist/bench/kafka-echo.js');

bundle(resolve(__dirname, 'echo.ts'), out).then(() => {
  const { status } = spawnSync(process.execPath, [out], {
    stdio: 'inherit',
    env: { ...process.env, PONTE_KAFKA_LOCAL: resolve(__dirname, '../../../../deploy/kafka/local.mjs') },
  });
  process.exitCode = status ?? 1;
});
