// npm run kafka:local [-- --port 9092 --data folder --secured] runs one Kafka broker on loopback from Apache Kafka's
// own jars. With --node 2 --voters 1@127.0.0.1:9093,2@127.0.0.1:9094,3@127.0.0.1:9095 --cluster ID it is one of several
// brokers that replicate each other's topics. It prints one line of JSON when it accepts connections and runs until
// SIGTERM or SIGINT. With --while-stdin it also ends when its standard input closes, so that it never outlives the
// program that started it. With --secured it accepts only TLS with a certificate that it creates, and requires a user:
// the line of JSON then contains the user, the password and the certificate file.
import { Buffer } from 'node:buffer';
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const POM = join(HERE, 'pom.xml');
const CACHE = resolve(HERE, '../../node_modules/.cache/ponte-kafka');
const READY_MS = 60_000;
const LOOK_MS = 50;
const NEWS_OF_EXIT_MS = 10_000;
const PORT_MS = 20_000;

/** A small heap and the compiler that starts fastest, because the broker runs only for minutes on one machine. */
const JVM = [
  '-Xmx384m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
  '-Djava.awt.headless=true',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
  '-Dorg.slf4j.simpleLogger.logFile=System.err',
];

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

/** Returns the folder of the jars, which are downloaded once for each version of pom.xml. */
function jars() {
  const pom = readFileSync(POM);
  const folder = join(CACHE, createHash('sha256').update(pom).digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  // Copied into a temporary folder and renamed, so that an existing folder is always complete, even when several
  // processes copy.
  const half = mkdtempSync(join(CACHE, 'half-'));
  const { status, error, stdout, stderr } = spawnSync(
    'mvn',
    [
      '-q',
      '-B',
      '-Dstyle.color=never',
      '-f',
      POM,
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${half}`,
    ],
    // Maven writes colour codes even when it has nothing to report, so its output is shown only when it fails.
    { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
  );
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
    rmSync(half, { recursive: true, force: true });
    throw new Error(
      error ? `mvn could not be run (${error.message}): install Maven and Java 17` : 'mvn could not resolve Kafka',
    );
  }
  try {
    renameSync(half, folder);
  } catch (failure) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(folder)) throw failure;
  }
  return folder;
}

/**
 * Finds a free port below the system's ephemeral ports, so that no outgoing connection takes it while the broker
 * restarts.
 */
async function freePort() {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(10_000, 32_768);
    if (await canListen(port)) return port;
  }
  throw new Error('no free port was found');
}

const canListen = (port) =>
  new Promise((done) => {
    const server = createServer()
      .once('error', () => done(false))
      .listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });

/** Returns the ports of the broker. They are stored with the data, so that a restarted broker has the same address. */
async function places(data, wanted) {
  const file = join(data, 'ports.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const among = voters().find(({ node }) => node === options.node);
  const made = { broker: wanted || (await freePort()), controller: among?.port ?? (await freePort()) };
  writeFileSync(file, JSON.stringify(made));
  return made;
}

/** The brokers that vote for the controller, from `--voters`. */
const voters = () =>
  (options.voters ?? '')
    .split(',')
    .filter(Boolean)
    .map((text) => {
      const [, node, port] = /^(\d+)@127\.0\.0\.1:(\d+)$/.exec(text) ?? [];
      if (!port) throw new Error(`--voters: ${text} is invalid; expected for example 1@127.0.0.1:9093`);
      return { node, port: Number(port) };
    });

/** Replication of Kafka's internal topics: 3 if there are three brokers. */
const copies = () => Math.min(3, Math.max(1, voters().length));

/** A broker that is also a controller, with fewer partitions and shorter timeouts than in production. */
const properties = (data, { broker, controller }) => ({
  'process.roles': 'broker,controller',
  'node.id': Number(options.node),
  'controller.quorum.voters': options.voters ?? `${options.node}@127.0.0.1:${controller}`,
  listeners: `PLAINTEXT://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${broker}`,
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'log.dirs': join(data, 'log'),
  'auto.create.topics.enable': false,
  'offsets.topic.replication.factor': copies(),
  'offsets.topic.num.partitions': 4,
  'transaction.state.log.replication.factor': copies(),
  'transaction.state.log.min.isr': Math.min(2, copies()),
  'share.coordinator.state.topic.replication.factor': copies(),
  'share.coordinator.state.topic.min.isr': Math.min(2, copies()),
  'group.initial.rebalance.delay.ms': 0,
  // A killed broker is considered gone after this time, and can rejoin only then.
  'broker.session.timeout.ms': 3000,
  'broker.heartbeat.interval.ms': 500,
  'num.network.threads': 2,
  'num.io.threads': 4,
  'log.cleaner.dedupe.buffer.size': 16777216,
  'log.index.size.max.bytes': 1048576,
});

/** The user and the certificate of the broker, created once for a data folder. */
function secrets(data) {
  const [file, store, certificate] = ['secured.json', 'broker.p12', 'broker.pem'].map((name) => join(data, name));
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const made = {
    username: 'ponte',
    password: randomBytes(18).toString('base64url'),
    storePassword: randomBytes(18).toString('base64url'),
    store,
    certificate,
  };
  const keytool = (...args) => {
    const { status } = spawnSync(
      'keytool',
      [...args, '-alias', 'broker', '-keystore', store, '-storetype', 'PKCS12', '-storepass', made.storePassword],
      { stdio: 'ignore' },
    );
    if (status !== 0) throw new Error('keytool could not create a certificate');
  };
  keytool(
    '-genkeypair',
    '-keyalg',
    'EC',
    '-groupname',
    'secp256r1',
    '-validity',
    '3650',
    '-dname',
    'CN=kafka-local',
    '-ext',
    'SAN=ip:127.0.0.1,dns:localhost',
  );
  keytool('-exportcert', '-rfc', '-file', certificate);
  writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

/** Settings of a broker with TLS and authentication. */
function securedProperties({ broker, controller }, { username, password, storePassword, store, certificate }) {
  const users = `username="${username}" password="${password}" user_${username}="${password}"`;
  return {
    listeners: `SASL_SSL://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `SASL_SSL://127.0.0.1:${broker}`,
    'listener.security.protocol.map': 'SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'SASL_SSL',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    'listener.name.sasl_ssl.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required ${users};`,
    'listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': store,
    'ssl.keystore.password': storePassword,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': certificate,
  };
}

function run(classpath, main, args) {
  const { status } = spawnSync('java', [...JVM, '-cp', classpath, main, ...args], { stdio: ['ignore', 'ignore', 2] });
  if (status !== 0) throw new Error(`${main} failed`);
}

const answers = (port) =>
  new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const tell = (heard) => {
      socket.destroy();
      done(heard);
    };
    socket.once('connect', () => tell(true)).once('error', () => tell(false));
  });

async function start() {
  const classpath = join(jars(), '*');
  const data = resolve(options.data ?? mkdtempSync(join(tmpdir(), 'ponte-kafka-')));
  mkdirSync(data, { recursive: true });
  const at = await places(data, Number(options.port));
  // A broker that was just killed or is about to stop may still hold the port.
  for (let waited = 0; await answers(at.broker); waited += LOOK_MS) {
    if (waited > PORT_MS) throw new Error(`port ${at.broker} is taken`);
    await new Promise((done) => {
      setTimeout(done, LOOK_MS);
    });
  }
  const config = join(data, 'server.properties');
  const secured = options.secured ? secrets(data) : undefined;
  const settings = { ...properties(data, at), ...(secured && securedProperties(at, secured)) };
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

  // A separate process group, so that Ctrl-C in the terminal reaches the broker only through this process.
  const broker = spawn('java', [...JVM, '-cp', classpath, 'kafka.Kafka', config], {
    stdio: ['ignore', 'ignore', 2],
    detached: true,
  });
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

  for (let waited = 0; !(await answers(at.broker)); waited += LOOK_MS) {
    if (waited > READY_MS) throw new Error('the broker did not start in time');
    await new Promise((done) => {
      setTimeout(done, LOOK_MS);
    });
  }
  const version = /<kafka.version>([^<]+)</.exec(readFileSync(POM, 'utf8'))?.[1];
  const access = secured && {
    username: secured.username,
    password: secured.password,
    certificate: secured.certificate,
  };
  console.log(
    JSON.stringify({
      brokers: `127.0.0.1:${at.broker}`,
      name: `Apache Kafka ${version}, local${secured ? ', TLS and SASL' : ''}`,
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
