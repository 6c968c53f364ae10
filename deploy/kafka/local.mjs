// npm run kafka:local [-- --port 9092 --data folder]: one Kafka broker on loopback, from Apache Kafka's own jars.
// Prints one line of JSON when it accepts connections and runs until SIGTERM or SIGINT. With --while-stdin it also ends when its
// standard input does, so that it never outlives the program that started it.
import { Buffer } from 'node:buffer';
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
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

/** A small heap, and the compiler that starts fastest: the broker serves one machine for minutes. */
const JVM = ['-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData', '-Djava.awt.headless=true',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error', '-Dorg.slf4j.simpleLogger.logFile=System.err'];

const { values: options } = parseArgs({
  options: { port: { type: 'string', default: '0' }, data: { type: 'string' }, 'while-stdin': { type: 'boolean', default: false } },
});

/** The folder of the jars; resolved once for each pom.xml. */
function jars() {
  const pom = readFileSync(POM);
  const folder = join(CACHE, createHash('sha256').update(pom).digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  // Copied aside and renamed, so that a folder that is there is whole, whoever else is copying.
  const half = mkdtempSync(join(CACHE, 'half-'));
  const { status, error } = spawnSync('mvn', ['-q', '-B', '-Dstyle.color=never', '-f', POM, 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${half}`], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(error ? `mvn could not be run (${error.message}): install Maven and Java 17` : 'mvn could not resolve Kafka');
  }
  try {
    renameSync(half, folder);
  } catch (failure) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(folder)) throw failure;
  }
  return folder;
}

const freePort = () => new Promise((done, failed) => {
  const server = createServer().once('error', failed).listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

/** Where the broker listens is kept with its data: clients of one that starts again find it where it was. */
async function places(data, wanted) {
  const file = join(data, 'ports.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const made = { broker: wanted || await freePort(), controller: await freePort() };
  writeFileSync(file, JSON.stringify(made));
  return made;
}

/** One broker that is its own controller. Fewer partitions, shorter waits than a real one; everything else as it comes. */
const properties = (data, { broker, controller }) => ({
  'process.roles': 'broker,controller',
  'node.id': 1,
  'controller.quorum.voters': `1@127.0.0.1:${controller}`,
  listeners: `PLAINTEXT://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${broker}`,
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'log.dirs': join(data, 'log'),
  'auto.create.topics.enable': false,
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 4,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'share.coordinator.state.topic.replication.factor': 1,
  'share.coordinator.state.topic.min.isr': 1,
  'group.initial.rebalance.delay.ms': 0,
  // A broker that was killed is taken for gone after this, and only then may it come back.
  'broker.session.timeout.ms': 3000,
  'broker.heartbeat.interval.ms': 500,
  'num.network.threads': 2,
  'num.io.threads': 4,
  'log.cleaner.dedupe.buffer.size': 16777216,
  'log.index.size.max.bytes': 1048576,
});

function run(classpath, main, args) {
  const { status } = spawnSync('java', [...JVM, '-cp', classpath, main, ...args], { stdio: ['ignore', 'ignore', 2] });
  if (status !== 0) throw new Error(`${main} failed`);
}

const answers = (port) => new Promise((done) => {
  const socket = connect({ port, host: '127.0.0.1' });
  const tell = (heard) => { socket.destroy(); done(heard); };
  socket.once('connect', () => tell(true)).once('error', () => tell(false));
});

async function start() {
  const classpath = join(jars(), '*');
  const data = resolve(options.data ?? mkdtempSync(join(tmpdir(), 'ponte-kafka-')));
  mkdirSync(data, { recursive: true });
  const at = await places(data, Number(options.port));
  // A broker that was killed a moment ago, or is about to end, may hold it still.
  for (let waited = 0; await answers(at.broker); waited += LOOK_MS) {
    if (waited > PORT_MS) throw new Error(`port ${at.broker} is taken`);
    await new Promise((done) => { setTimeout(done, LOOK_MS); });
  }
  const config = join(data, 'server.properties');
  writeFileSync(config, Object.entries(properties(data, at)).map(([name, value]) => `${name}=${value}\n`).join(''));
  if (!existsSync(join(data, 'log', 'meta.properties'))) run(classpath, 'kafka.tools.StorageTool', ['format', '-t', clusterId(), '-c', config]);

  // Not in this process's group: a Ctrl-C in the terminal reaches it through us, once.
  const broker = spawn('java', [...JVM, '-cp', classpath, 'kafka.Kafka', config], { stdio: ['ignore', 'ignore', 2], detached: true });
  const ended = new Promise((done) => { broker.once('exit', (code, signal) => done(signal ?? code)); });
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
    if (!asked) console.error(`the broker ended by itself: ${how}`);
    process.exit(asked ? 0 : 1);
  });

  for (let waited = 0; !(await answers(at.broker)); waited += LOOK_MS) {
    if (waited > READY_MS) throw new Error('the broker did not come up');
    await new Promise((done) => { setTimeout(done, LOOK_MS); });
  }
  const version = /<kafka.version>([^<]+)</.exec(readFileSync(POM, 'utf8'))?.[1];
  console.log(JSON.stringify({ brokers: `127.0.0.1:${at.broker}`, name: `Apache Kafka ${version}, local`, pid: broker.pid, data }));
}

/** As Kafka writes it: a UUID in URL-safe base64; one that began with a dash would be taken for an option. */
function clusterId() {
  const id = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
  return id.startsWith('-') ? clusterId() : id;
}

start().catch((error) => {
  console.error(`kafka:local: ${error.message}`);
  process.exit(1);
});
