import { randomUUID } from 'node:crypto';
import type { AllStreamSubscription } from '@eventstore/db-client';
import { EventStoreDBClient, jsonEvent, START, streamNameFilter } from '@eventstore/db-client';
import type { EventToAppend } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { openEventStoreDb } from '../open';

const WRITERS = [1, 16, 64] as const;
const APPENDS: Readonly<Record<(typeof WRITERS)[number], number>> = { 1: 1_000, 16: 6_000, 64: 10_000 };
const EVENTS = 50_000;
const EVENTS_EACH = 250;
const ROUNDS = 9;
/** The smallest accepted share of the bare client's rate. */
const MIN_SHARE = 0.7;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const silent = { warn: () => undefined, error: () => undefined };
/** An event of about 400 bytes, like an order's. */
const sample = (): EventToAppend => {
  const id = randomUUID();
  return {
    id,
    type: 'Sampled',
    version: 1,
    data: { text: 'x'.repeat(160), amount: '12.50' },
    meta: { commandId: id, index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: id },
  };
};
const bareEvent = () => {
  const {
    id,
    type,
    data,
    meta: { correlationId, ...meta },
  } = sample();
  return jsonEvent({
    id,
    type,
    data: data as Record<string, string>,
    metadata: { version: 1, ...meta, $correlationId: correlationId },
  });
};

interface Measured {
  readonly rate: number;
  readonly cpuUs: number;
}

/** Appends per second, and CPU time of this process per append in microseconds. */
async function appends(
  writers: (typeof WRITERS)[number],
  append: (stream: string) => Promise<unknown>,
): Promise<Measured> {
  const run = randomUUID();
  const count = APPENDS[writers];
  let next = 0;
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let at = next++; at < count; at = next++) await append(`bench-${run}${at}`);
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  return { rate: (count * 1_000) / (performance.now() - began), cpuUs: (user + system) / count };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const whole = (value: number): string => Math.round(value).toLocaleString('en');

async function main(connectionString: string): Promise<boolean> {
  const store = await openEventStoreDb({ connectionString, logger: silent });
  const client = EventStoreDBClient.connectionString(connectionString);
  const credentials = { username: 'none', password: 'none' };
  const ways = {
    adapter: (stream: string) => store.append(stream, NO_STREAM, [sample()]),
    'bare, a call each': (stream: string) =>
      client.appendToStream(stream, bareEvent(), { expectedRevision: 'no_stream', credentials }),
    'bare, batch': (stream: string) => client.appendToStream(stream, bareEvent(), { expectedRevision: 'no_stream' }),
  };
  for (const way of Object.values(ways)) await appends(16, way);
  for (const writers of WRITERS) {
    const said = [];
    for (const [name, way] of Object.entries(ways)) {
      const { rate, cpuUs } = await appends(writers, way);
      said.push(`${name} ${whole(rate)}/s and ${whole(cpuUs)} us of CPU each`);
    }
    print(`appends, ${writers} writers: ${said.join('; ')}`);
  }
  const category = `stream${randomUUID().replaceAll('-', '')}`;
  await Promise.all(
    Array.from({ length: EVENTS / EVENTS_EACH }, (_, at) =>
      store.append(`${category}-${at}`, NO_STREAM, Array.from({ length: EVENTS_EACH }, sample)),
    ),
  );
  const [ours, bare, slices]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await events(() => readWithBareClient(client, category)));
    let count = 0;
    ours.push(
      await events(async () => {
        let [seen, taken] = [0, 0];
        for await (const slice of store.subscribe({ categories: [category] })) {
          taken += 1;
          if ((seen += slice.events.length) >= EVENTS) break;
        }
        count = taken;
      }),
    );
    slices.push(EVENTS / count);
  }
  const share = median(ours) / median(bare);
  print(
    `events/s through a filtered subscription, median of ${ROUNDS}: adapter ${whole(median(ours))} (least ${whole(Math.min(...ours))}), bare ${whole(median(bare))}: ${share.toFixed(2)} of it, at least ${MIN_SHARE}: ${share >= MIN_SHARE ? 'met' : 'NOT met'}`,
  );
  print(`events in a slice: median ${whole(median(slices))}, least ${whole(Math.min(...slices))}`);
  await store.close();
  await client.dispose();
  return share >= MIN_SHARE;
}

async function events(read: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await read();
  return (EVENTS * 1_000) / (performance.now() - began);
}

async function readWithBareClient(client: EventStoreDBClient, category: string): Promise<void> {
  const subscription: AllStreamSubscription = client.subscribeToAll({
    fromPosition: START,
    filter: streamNameFilter({ prefixes: [`${category}-`], maxSearchWindow: 256, checkpointInterval: 1 }),
  });
  let seen = 0;
  for await (const _ of subscription) if ((seen += 1) >= EVENTS) break;
  await subscription.unsubscribe();
}

main(process.argv[2] ?? '').then(
  (met) => process.exit(met ? 0 : 1),
  (error: Error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`);
    process.exit(1);
  },
);
