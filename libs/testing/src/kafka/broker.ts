import { spawn, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../temporary-folder';
import { hasContainerRuntime } from '../esdb-server/real-server';

/** A real Kafka broker that a suite may use. */
export interface TestBroker {
  readonly brokers: readonly string[];
  /** What it is, in words: a version, or where it was given. */
  readonly name: string;
  /** Present when it is this suite's own process. */
  readonly process?: BrokerProcess;
  stop(): Promise<void>;
}

export interface BrokerProcess {
  /** As `kill -9` does; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again on what it kept, under the same address; resolves when it answers. */
  restart(): Promise<void>;
}

interface Running { readonly brokers: string; readonly name: string; readonly pid: number; readonly ended: Promise<void>; end(): void }

const IMAGE = 'confluentinc/cp-kafka:7.9.4';
const LOCAL = resolve(__dirname, '../../../../deploy/kafka/local.mjs');
const HOW = 'no Kafka broker: set KAFKA_BROKERS, or start a container runtime, or install Java 17 and Maven';

/** The one that `KAFKA_BROKERS` names, else one in a container, else one from Apache Kafka's jars, on loopback. */
export async function startBroker(given = process.env['KAFKA_BROKERS']): Promise<TestBroker> {
  if (given) return { brokers: given.split(','), name: `the brokers of KAFKA_BROKERS (${given})`, stop: async () => undefined };
  if (hasContainerRuntime()) return containedBroker();
  if (has('java', '-version') && has('mvn', '-version')) return localBroker();
  throw new Error(HOW);
}

const has = (program: string, argument: string): boolean => spawnSync(program, [argument], { stdio: 'ignore' }).status === 0;

async function containedBroker(): Promise<TestBroker> {
  const { KafkaContainer } = await import('@testcontainers/kafka');
  const container = await new KafkaContainer(IMAGE).withKraft().start();
  const port = 9093;
  return {
    brokers: [`${container.getHost()}:${container.getMappedPort(port)}`], name: `${IMAGE} in a container`,
    stop: async () => { await container.stop(); },
  };
}

async function localBroker(): Promise<TestBroker> {
  const folder = temporaryFolder();
  const data = join(folder.path, 'kafka');
  let running: Running = await run(data);
  return {
    brokers: [running.brokers], name: running.name,
    process: {
      kill: async () => {
        process.kill(running.pid, 'SIGKILL');
        await running.ended;
      },
      restart: async () => { running = await run(data); },
    },
    stop: async () => {
      running.end();
      await running.ended;
      folder.remove();
    },
  };
}

/** The script ends with its standard input, so that no broker outlives the suite, however the suite ends. */
async function run(data: string): Promise<Running> {
  const script = spawn(process.execPath, [LOCAL, '--data', data, '--while-stdin'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((done) => { script.once('close', () => done()); });
  for await (const line of createInterface({ input: script.stdout })) {
    const { brokers, name, pid } = JSON.parse(line) as Omit<Running, 'ended' | 'end'>;
    return { brokers, name, pid, ended, end: () => void script.stdin.end() };
  }
  throw new Error('the local Kafka broker did not start; node deploy/kafka/local.mjs says why');
}
