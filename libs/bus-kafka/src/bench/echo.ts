import type { ChildProcess } from 'node:child_process';
import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { Kafka, logLevel } from 'kafkajs';
import { command } from '@ponte/event-sourcing';
import { MemoryParkedEvents } from '@ponte/testing';
import { createKafkaBus } from '../message-bus';
import { askBare, bareTopics, serveBare } from './bare';

/**
 * Request and reply between two processes, with one caller and with many. The bus and bare kafkajs are measured
 * alternately in one run.
 */
const Echo = command<object, object>('echo', 'say', () => undefined);
const PAYLOAD = {
  'quote-id': 'q'.repeat(36),
  'account-id': 'a'.repeat(36),
  amounts: ['1000.00', '185.364712'],
  note: 'x'.repeat(200),
};
const ROUNDS = 5;
const WARM_UP = 100;
const PARTITIONS = 6;
const CALLERS = [
  [1, 300],
  [16, 1_000],
  [64, 2_000],
] as const;
const silent = { warn: () => undefined, error: () => undefined };

const bus = (brokers: readonly string[], run: string, service: string) =>
  createKafkaBus({
    connection: { brokers },
    service,
    instance: service,
    namespace: run,
    systemNow: () => Date.now(),
    logger: silent,
    serviceCategories: {},
    parkedEvents: new MemoryParkedEvents(),
  });

async function serve(brokers: readonly string[], run: string): Promise<void> {
  const stopBare = await serveBare(brokers, run);
  const served = bus(brokers, run, 'echo');
  served.handle(Echo.pattern, async (payload) => payload);
  await served.start();
  process.send?.('ready');
  await once(process, 'message');
  await served.stop();
  await stopBare();
  process.disconnect();
}

type Ask = () => Promise<void>;
interface Taken {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

async function measure(ask: Ask, callers: number, count: number): Promise<Taken> {
  const times: number[] = [];
  const began = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while ((left -= 1) >= 0) {
        const before = performance.now();
        await ask();
        times.push(performance.now() - before);
      }
    }),
  );
  const perSecond = (count * 1_000) / (performance.now() - began);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), perSecond };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function compare(bare: Ask, ours: Ask): Promise<void> {
  await measure(bare, 1, WARM_UP);
  await measure(ours, 1, WARM_UP);
  console.log('callers |        bare kafkajs echo        |             the bus             | p50 ratio');
  for (const [callers, count] of CALLERS) {
    const rounds: { bare: Taken; ours: Taken }[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ bare: await measure(bare, callers, count), ours: await measure(ours, callers, count) });
    const of = (who: 'bare' | 'ours', what: keyof Taken): number => median(rounds.map((round) => round[who][what]));
    const line = (who: 'bare' | 'ours'): string =>
      `p50 ${of(who, 'p50').toFixed(2)} p99 ${of(who, 'p99').toFixed(1)} ms ` +
      `${of(who, 'perSecond').toFixed(0).padStart(6)}/s`;
    console.log(
      `${String(callers).padStart(7)} | ${line('bare').padEnd(31)} | ${line('ours').padEnd(31)} | ` +
        `${(of('ours', 'p50') / of('bare', 'p50')).toFixed(2)}`,
    );
  }
}

async function broker(): Promise<{ brokers: string[]; name: string; stop: () => Promise<void> }> {
  const given = process.env['KAFKA_BROKERS'];
  if (given) return { brokers: given.split(','), name: given, stop: async () => undefined };
  const script: ChildProcess = spawn(process.execPath, [process.env['PONTE_KAFKA_LOCAL'] ?? '', '--while-stdin'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!script.stdout) throw new Error('the local broker did not start');
  const [line] = (await once(createInterface({ input: script.stdout }), 'line')) as [string];
  const { brokers, name } = JSON.parse(line) as { brokers: string; name: string };
  return {
    brokers: [brokers],
    name,
    stop: async () => {
      script.stdin?.end();
      await once(script, 'close');
    },
  };
}

async function main(): Promise<void> {
  const { brokers, name, stop } = await broker();
  const run = `bench-${randomBytes(4).toString('hex')}.`;
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({
    topics: bareTopics(run).map((topic, at) => ({ topic, numPartitions: at === 0 ? PARTITIONS : 1 })),
  });
  const child = fork(__filename, ['serve', brokers.join(','), run]);
  await once(child, 'message');
  const bare = await askBare(brokers, run);
  const ours = bus(brokers, run, 'asker');
  await ours.start();
  console.log(
    `${name}; two processes; load average ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}`,
  );
  await compare(
    () => bare.ask(PAYLOAD),
    async () => void (await ours.request(Echo, PAYLOAD, { commandId: 'c', correlationId: 'c' })),
  );
  await Promise.all([bare.close(), ours.stop()]);
  child.send('stop');
  await once(child, 'exit');
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(run));
  await admin.deleteTopics({ topics });
  await admin.disconnect();
  await stop();
}

const [role, brokers, run] = process.argv.slice(2);
void (role === 'serve' ? serve((brokers ?? '').split(','), run ?? '') : main());
