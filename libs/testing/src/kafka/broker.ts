import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../temporary-folder';
import { containers, hasContainerRuntime } from '../containers';
import { freePorts } from '../free-port';

/** A real Kafka broker that a suite may use. */
export interface TestBroker {
  readonly brokers: readonly string[];
  /** A description for output: the version, or the setting that names it. */
  readonly name: string;
  /** Present when the broker is a process of this suite. */
  readonly process?: BrokerProcess;
  stop(): Promise<void>;
}

export interface BrokerProcess {
  /** Kills it (`kill -9`); resolves when it has ended. */
  kill(): Promise<void>;
  /** Resolves when it has ended, for any reason. */
  ended(): Promise<void>;
  /** Restarts it with the same data and address; resolves when it responds. */
  restart(): Promise<void>;
}

/** Credentials for a broker that requires TLS and a user. */
export interface BrokerAccess {
  readonly username: string;
  readonly password: string;
  /** PEM file with the certificate to trust. */
  readonly certificate: string;
}

interface Running extends Partial<BrokerAccess> {
  readonly brokers: string;
  readonly name: string;
  readonly pid: number;
  readonly ended: Promise<void>;
  end(): void;
}

const IMAGE = 'confluentinc/cp-kafka:7.9.4';
const LOCAL = resolve(__dirname, '../../../../deploy/kafka/local.mjs');
/** Kafka's ids are UUIDs in base64. */
const CLUSTER_ID_BYTES = 16;
const HOW = 'no Kafka broker is available: set KAFKA_BROKERS, start a container runtime, or install Java 17 and Maven';

/**
 * The broker of `KAFKA_BROKERS`, or else one in a container, or else one on the loopback interface from the jars of
 * Apache Kafka.
 */
export async function startBroker(given = process.env['KAFKA_BROKERS']): Promise<TestBroker> {
  if (given)
    return { brokers: given.split(','), name: `the brokers of KAFKA_BROKERS (${given})`, stop: async () => undefined };
  if (hasContainerRuntime()) return containedBroker();
  if (has('java', '-version') && has('mvn', '-version')) return localBroker();
  throw new Error(HOW);
}

/** Starts a broker that requires TLS and a user, always from the jars of Apache Kafka. */
export async function startSecuredBroker(): Promise<TestBroker & BrokerAccess> {
  const broker = await localBroker(['--secured']);
  return { ...broker, ...broker.access() };
}

/** Starts a broker from the jars of Apache Kafka, with its data in this folder, which is kept. */
export const startKeptBroker = (folder: string): Promise<TestBroker & { readonly process: BrokerProcess }> =>
  localBroker([], { path: folder, remove: () => undefined });

/** Starts a cluster of brokers with replicated topics, from the jars of Apache Kafka. Each can be killed separately. */
export async function startBrokers(count: number): Promise<readonly TestBroker[]> {
  const ports = await freePorts(count);
  const voters = ports.map((port, at) => `${at + 1}@127.0.0.1:${port}`).join(',');
  const cluster = randomBytes(CLUSTER_ID_BYTES).toString('base64url').replace(/^-/, 'A');
  return Promise.all(
    ports.map((_, at) => localBroker(['--node', String(at + 1), '--voters', voters, '--cluster', cluster])),
  );
}

const has = (program: string, argument: string): boolean =>
  spawnSync(program, [argument], { stdio: 'ignore' }).status === 0;

async function containedBroker(): Promise<TestBroker> {
  const { startKafka } = await containers();
  const { address, stop } = await startKafka({ image: IMAGE });
  return { brokers: [address], name: `${IMAGE} in a container`, stop };
}

async function localBroker(
  options: readonly string[] = [],
  folder: { readonly path: string; remove(): void } = temporaryFolder(),
): Promise<TestBroker & { readonly process: BrokerProcess; access(): BrokerAccess }> {
  const data = join(folder.path, 'kafka');
  let running: Running = await run(data, options);
  return {
    brokers: [running.brokers],
    name: running.name,
    process: {
      kill: async () => {
        process.kill(running.pid, 'SIGKILL');
        await running.ended;
      },
      ended: () => running.ended,
      restart: async () => {
        running = await run(data, options);
      },
    },
    access: () => {
      const { username, password, certificate } = running;
      if (username === undefined || password === undefined || certificate === undefined)
        throw new Error('this broker requires no credentials');
      return { username, password, certificate };
    },
    stop: async () => {
      running.end();
      await running.ended;
      folder.remove();
    },
  };
}

/** The script ends when its standard input closes, so that no broker outlives the suite. */
async function run(data: string, options: readonly string[]): Promise<Running> {
  const script = spawn(process.execPath, [LOCAL, '--data', data, '--while-stdin', ...options], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((done) => {
    script.once('close', () => done());
  });
  for await (const line of createInterface({ input: script.stdout })) {
    const reported = JSON.parse(line) as Omit<Running, 'ended' | 'end'>;
    return { ...reported, ended, end: () => void script.stdin.end() };
  }
  throw new Error('the local Kafka broker did not start; run node deploy/kafka/local.mjs to see why');
}
