import type { Recorded } from '@ponte/event-sourcing';
import { KeyedQueue } from '@ponte/concurrency';
import { MemoryParkedEvents } from '@ponte/testing';
import { Delivery } from '../consumers/delivery';
import { toEnvelope } from '../envelope';
import type { PartitionOffset } from '../partitions/partition-offsets';
import type { PublishedLog } from '../partitions/published-log';
import { received } from '../received-message.testing';
import { FanOut } from './fan-out';

export const [GROUP, STREAM, SERVICE] = ['ledger', 'order-1', 'orders'];
const WANTED = 'OrderPlaced';
const throwing = (_key: string, error: unknown): never => {
  throw error;
};
const deadLetter = async (): Promise<void> => undefined;

function loggerUnderTest() {
  const logged: { readonly fields: object; readonly message: string }[] = [];
  const note = (fields: object, message: string): void => void logged.push({ fields, message });
  return { logged, logger: { error: note, warn: note } };
}

/** The log with one stream. */
function logOf(types: string) {
  const eventAt = (revision: number): Recorded => ({
    ...{ id: `e${revision}`, stream: STREAM, revision, position: String(revision), version: 1, data: {} },
    type: types[revision] === 'W' ? WANTED : 'OrderNoted',
    meta: { commandId: 'c', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'c' },
  });
  const read = jest.fn<ReturnType<PublishedLog['read']>, Parameters<PublishedLog['read']>>(
    async (_stream, { from = 0, limit = Infinity } = {}) =>
      [...types].map((_, at) => eventAt(at)).slice(from, from + limit),
  );
  const log: PublishedLog = {
    read,
    comparePositions: (a, b) => Number(a) - Number(b),
  };
  return { eventAt, read, log };
}

const exemptFromLimit = (): void => undefined;

/**
 * The type of each revision of the stream: the group wants `W`, not `u`. `readUpTo` is the greatest position that was
 * received before; with it, the consumer can ask the log.
 */
export function setUp(types: string, readUpTo?: number) {
  const parked = new MemoryParkedEvents();
  const handled: number[] = [];
  const { logger, logged } = loggerUnderTest();
  const queue = new KeyedQueue(1, throwing);
  const delivery = new Delivery(
    {
      ...{ parked, queue, logger, systemNow: Date.now },
      retries: { failed: [], unavailable: [] },
      isOurs: () => true,
      deadLetter,
    },
    { group: GROUP, service: SERVICE, types: [WANTED], consume: async ({ revision }) => void handled.push(revision) },
  );
  const { eventAt, read, log } = logOf(types);
  const fanOut = new FanOut({
    ...{ serviceOf: () => SERVICE, deliveries: [delivery], queue, logger, deadLetter },
    log: readUpTo === undefined ? undefined : log,
  });
  let before: PartitionOffset | undefined =
    readUpTo === undefined ? undefined : { offset: 0n, position: String(readUpTo) };
  fanOut.joined();
  let [offset, assignment] = [-1, {}];
  const counted = new Set<string>();
  /** Takes an event in the same partition. */
  const take = (event: Recorded, isBacklog: boolean): Promise<void> =>
    new Promise((done) => {
      offset += 1;
      const currentAssignment = assignment;
      fanOut.take({
        ...{ topic: 'orders.events', partition: 0, isBacklog, assignment, exemptFromLimit, done },
        message: { ...received({ key: STREAM, value: toEnvelope(SERVICE, event) }), offset: String(offset) },
        isOurs: () => currentAssignment === assignment,
        before: async () => before,
        notePosition: () => void counted.add(event.id),
        forgetPosition: () => void counted.delete(event.id),
      });
    });
  /** Receives events of the stream, and waits until all are finished. */
  const receive = async (...revisions: number[]): Promise<void> => {
    await Promise.all(revisions.map((revision) => take(eventAt(revision), false)));
  };
  /** Receives events of the stream that were on the brokers before; negative ones are of a time that was undone. */
  const receiveBacklog = async (...revisions: number[]): Promise<void> => {
    await Promise.all(
      revisions.map((one) => take(one < 0 ? { ...eventAt(-one), id: `undone ${-one}` } : eventAt(one), true)),
    );
  };
  /** Another member gets the partition and receives events up to a position. Then this one gets it again. */
  const loseAndRegain = (position: number): void => {
    assignment = {};
    offset += 10;
    before = { offset: 0n, position: String(position) };
  };
  /** The topic is deleted and created again. */
  const recreate = (): void => {
    offset = -1;
    before = { offset: -1n, position: before?.position };
  };
  const waiting = async () => (await parked.list(GROUP)).map(({ event, reason }) => [event.revision, reason]);
  return {
    receive,
    receiveBacklog,
    loseAndRegain,
    recreate,
    read,
    counted,
    handled,
    logged,
    waiting,
    parked,
    eventAt,
    delivery,
  };
}
