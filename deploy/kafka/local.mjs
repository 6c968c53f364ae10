// npm run kafka:local [-- --port 9092 --data folder --secured] runs one Kafka broker on loopback from Apache Kafka's
// own jars. With --node 2 --voters 1@127.0.0.1:9093,2@127.0.0.1:9094,3@127.0.0.1:9095 --cluster ID it is one of several
// brokers that replicate each other's topics. It prints one line of JSON when it accepts connections and runs until
// SIGTERM or SIGINT. With --while-stdin it also ends when its standard input closes, so that it never outlives the
// program that started it. With --secured it accepts only TLS with a certificate that it creates, and requires a user:
// the line of JSON then contains the user, the password and the certificate file.
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { secrets } from './credentials.mjs';
import { jars, run, startBroker, version } from './java.mjs';
import { answers, places } from './ports.mjs';
import { properties, securedProperties, voters } from './properties.mjs';

const READY_MS = 60_000;
const POLL_MS = 50;
const NEWS_OF_EXIT_MS = 10_000;
const PORT_MS = 60_000;

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    data: { type: 'string' },
    secured: { type: 'boolean', default: false },
    'while-stdin': { type: 'boolean', default: false },
    node: { type: 'string', default: '1' },
    voters: { type: 'string' },
    cluster: { type: 'string' },
  },
});

/** The port of this broker's controller in `--voters`. */
const controllerPort = () => voters(options.voters).find(({ node }) => node === options.node)?.port;

async function start() {
  const classpath = join(jars(), '*');
  const data = resolve(options.data ?? mkdtempSync(join(tmpdir(), 'ponte-kafka-')));
  mkdirSync(data, { recursive: true });
  const at = await places(data, Number(options.port), controllerPort());
  // A broker that was just killed or is about to stop may still hold the port.
  for (let waited = 0; await answers(at.broker); waited += POLL_MS) {
    if (waited > PORT_MS) throw new Error(`port ${at.broker} is taken`);
    await new Promise((done) => {
      setTimeout(done, POLL_MS);
    });
  }
  const config = join(data, 'server.properties');
  const secured = options.secured ? secrets(data) : undefined;
  const settings = { ...properties(options, data, at), ...(secured && securedProperties(at, secured)) };
  writeFileSync(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    { mode: 0o600 },
  );
  const users = secured
    ? ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((kind) => [
        '-S',
        `${kind}=[name=${secured.username},password=${secured.password}]`,
      ])
    : [];
  if (!existsSync(join(data, 'log', 'meta.properties')))
    run(classpath, 'kafka.tools.StorageTool', ['format', '-t', options.cluster ?? clusterId(), '-c', config, ...users]);

  const broker = startBroker(classpath, config);
  const ended = new Promise((done) => {
    broker.once('exit', (code, signal) => done(signal ?? code));
  });
  let asked = false;
  const stop = () => {
    if (asked) return;
    asked = true;
    broker.kill('SIGTERM');
    setTimeout(() => broker.kill('SIGKILL'), NEWS_OF_EXIT_MS).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
  process.on('exit', () => broker.kill('SIGKILL'));
  if (options['while-stdin']) process.stdin.on('end', stop).on('error', stop).resume();
  void ended.then((how) => {
    if (options.data === undefined) rmSync(data, { recursive: true, force: true });
    if (!asked) console.error(`the broker exited unexpectedly: ${how}`);
    process.exit(asked ? 0 : 1);
  });

  for (let waited = 0; !(await answers(at.broker)); waited += POLL_MS) {
    if (waited > READY_MS) throw new Error('the broker did not start in time');
    await new Promise((done) => {
      setTimeout(done, POLL_MS);
    });
  }
  const access = secured && {
    username: secured.username,
    password: secured.password,
    certificate: secured.certificate,
  };
  console.log(
    JSON.stringify({
      brokers: `127.0.0.1:${at.broker}`,
      name: `Apache Kafka ${version()}, local${secured ? ', TLS and SASL' : ''}`,
      pid: broker.pid,
      data,
      ...access,
    }),
  );
}

/**
 * Creates a cluster id in Kafka's format: a UUID in URL-safe base64. An id that starts with a dash would be parsed as
 * an option.
 */
function clusterId() {
  const id = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
  return id.startsWith('-') ? clusterId() : id;
}

start().catch((error) => {
  console.error(`kafka:local: ${error.message}`);
  process.exit(1);
});
