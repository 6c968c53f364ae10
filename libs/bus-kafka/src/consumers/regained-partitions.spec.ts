import type { Consumer, EachBatchPayload } from 'kafkajs';
import type { Recorded } from '@ponte/event-sourcing';
import { KeyedQueue } from '@ponte/concurrency';
import { eventually, MemoryParkedEvents } from '@ponte/testing';
import { toEnvelope } from '../envelope';
import { LIMITS } from '../options';
import { AssignedPartitions } from '../partitions/assigned-partitions';
import type { PartitionOffset, PartitionOffsets } from '../partitions/partition-offsets';
import { partitionKey } from '../partitions/partition-offsets';
import type { PublishedLog } from '../partitions/published-log';
import type { TakenMessage } from '../partitions/taken-message';
import { received } from '../received-message.testing';
import { FanOut } from '../requests/fan-out';
import { Delivery } from './delivery';

const TOPIC = 'orders.events';
const OURS = { [TOPIC]: [0] };
const throwing = (_key: string, error: unknown): never => {
  throw error;
};
const deadLetter = async (): Promise<void> => undefined;
const eventAt = (revision: number): Recorded => ({
  ...{ id: `e${revision}`, stream: 'order-1', revision, position: String(revision), version: 1, data: {} },
  type: 'OrderPlaced',
  meta: { commandId: 'c', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'c' },
});
const log: PublishedLog = {
  read: async (_stream, { from = 0, limit = Infinity } = {}) =>
    Array.from({ length: 8 }, (_, at) => eventAt(at)).slice(from, from + limit),
  comparePositions: (a, b) => Number(a) - Number(b),
};

/** A member of a group whose only partition has the events of one stream: offset n is revision n. */
function setUp({ published = true }: { readonly published?: boolean } = {}) {
  const [handled, logged, commits]: [number[], string[], string[]] = [[], [], []];
  const note = (_fields: object, message: string): void => void logged.push(message);
  const logger = { error: note, warn: note };
  const [parked, queue] = [new MemoryParkedEvents(), new KeyedQueue(1, throwing)];
  const delivery = new Delivery(
    {
      ...{ parked, queue, logger, systemNow: Date.now, deadLetter, isOurs: () => true },
      retries: { failed: [], unavailable: [] },
    },
    { group: 'ledger', service: 'orders', consume: async ({ revision }) => void handled.push(revision) },
  );
  const fanOut = new FanOut({
    ...{ serviceOf: () => 'orders', deliveries: [delivery], queue, logger, deadLetter, log },
  });
  let acknowledge = (): void => undefined;
  const consumer = {
    pause: () => undefined,
    resume: () => undefined,
    events: { COMMIT_OFFSETS: 'commit' },
    on: (_name: string, listener: () => void) => {
      acknowledge = listener;
      return () => undefined;
    },
    commitOffsets: async ([one]: readonly { readonly offset: string }[]) => {
      commits.push(one?.offset ?? '');
      acknowledge();
    },
  } as unknown as Consumer;
  let committed: () => Promise<PartitionOffsets> = async () => new Map();
  let take = (taken: TakenMessage): void => fanOut.take(taken);
  const member = new AssignedPartitions(
    {
      ...{ group: 'ponte.ledger', limits: LIMITS, logger, take: (taken) => take(taken) },
      published: published ? { log, committedOffsets: () => committed() } : undefined,
    },
    () => consumer,
  );
  return {
    ...{ handled, logged, commits },
    assign: (sessionEnded = false): void => {
      member.assign(OURS, sessionEnded);
      fanOut.joined();
    },
    fetch: (...offsets: number[]): void => {
      const messages = offsets.map((offset) => ({
        ...received({ key: 'order-1', value: toEnvelope('orders', eventAt(offset)) }),
        offset: String(offset),
      }));
      const batch = { topic: TOPIC, partition: 0, highWatermark: String(Math.max(...offsets) + 1), messages };
      member.takeBatch({ batch, resolveOffset: () => undefined } as unknown as EachBatchPayload);
    },
    commit: () => member.commit(),
    /** What the group has committed, or an error when that is read. */
    groupCommitted: (offset: PartitionOffset | Error): void => {
      committed = async () => {
        if (offset instanceof Error) throw offset;
        return new Map([[partitionKey(TOPIC, 0), offset]]);
      };
    },
    /** From now on, messages are taken but not finished. */
    holdMessages: (): TakenMessage[] => {
      const held: TakenMessage[] = [];
      take = (taken) => void held.push(taken);
      return held;
    },
    parked: async () => (await parked.list('ledger')).map(({ event }) => event.revision),
  };
}

describe('a member that gets a partition back which another member had in the meantime', () => {
  it('begins again where the group is, and parks nothing', async () => {
    const { assign, fetch, commit, groupCommitted, handled, logged, commits, parked } = setUp();
    assign();
    fetch(0);
    await eventually(() => expect(handled).toEqual([0]));
    await commit();
    // The other member has handled offset 1. This one hears only of assignments with the partition.
    groupCommitted({ offset: 2n, position: '1' });
    assign();
    await commit();
    fetch(2);
    await eventually(() => expect(handled).toEqual([0, 2]));
    await commit();
    expect([commits, logged, await parked()]).toEqual([['1', '3'], [], []]);
  });

  it('drops what the other member has finished, and skips a fetch from before', async () => {
    const { assign, fetch, commit, groupCommitted, holdMessages, commits } = setUp();
    const held = holdMessages();
    assign();
    fetch(0, 1);
    groupCommitted({ offset: 4n, position: '3' });
    assign();
    await commit();
    expect(held.map((taken) => taken.isOurs())).toEqual([false, false]);
    fetch(2, 3, 4);
    expect(held.map(({ message }) => message.offset)).toEqual(['0', '1', '4']);
    for (const taken of held) taken.done();
    await commit();
    expect(commits).toEqual(['5']);
  });

  it('drops its work if its session has ended and it cannot be known where the group is', async () => {
    const { assign, fetch, commit, groupCommitted, handled, commits, parked } = setUp();
    assign();
    fetch(0);
    await eventually(() => expect(handled).toEqual([0]));
    groupCommitted(new Error('no coordinator'));
    assign(true);
    await commit();
    fetch(2);
    await eventually(() => expect(handled).toEqual([0, 2]));
    await commit();
    expect([commits, await parked()]).toEqual([['3'], []]);
  });

  it('drops requests, whose offsets are not read, if its session has ended', async () => {
    const { assign, fetch, commit, holdMessages, commits } = setUp({ published: false });
    const held = holdMessages();
    assign();
    fetch(0, 1);
    held[0]?.done();
    assign(true);
    await commit();
    expect([held.map((taken) => taken.isOurs()), commits]).toEqual([[false, false], []]);
  });
});

it('a member keeps its work over a rebalance if no other member had its partition', async () => {
  const { assign, fetch, commit, groupCommitted, holdMessages, commits } = setUp();
  const held = holdMessages();
  assign();
  fetch(0, 1);
  held[0]?.done();
  await commit();
  groupCommitted({ offset: 1n, position: undefined });
  assign();
  await commit();
  fetch(1, 2);
  expect(held.map(({ message, isOurs }) => [message.offset, isOurs()])).toEqual([
    ['0', true],
    ['1', true],
    ['2', true],
  ]);
  for (const taken of held.slice(1)) taken.done();
  await commit();
  expect(commits).toEqual(['1', '1', '3']);
});
