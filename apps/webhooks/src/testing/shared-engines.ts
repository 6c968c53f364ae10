import { setMaxListeners } from 'node:events';
import type { Checkpoints, EventStore, Lease, Position } from '@ponte/event-sourcing';
import { pause } from '@ponte/concurrency';
import { OUTBOX_READER } from '../outbox/reader-progress.service';

/** Longer than any test. */
const ENDLESS_MS = 600_000;

/** A store in which some operations are replaced. */
export const otherwise = (store: EventStore, changed: Partial<EventStore>): EventStore => ({
  soleWriter: store.soleWriter,
  append: (...append) => store.append(...append),
  read: (...read) => store.read(...read),
  subscribe: (filter) => store.subscribe(filter),
  newest: (options) => store.newest(options),
  head: () => store.head(),
  comparePositions: (a, b) => store.comparePositions(a, b),
  close: () => store.close(),
  ...changed,
});

/** A store that reports further writers. */
export const sharedWithOthers = (store: EventStore): EventStore =>
  otherwise(store, { soleWriter: false, close: async () => undefined });

/** A store on which appends of these events never resolve and have no effect; they reject when it is closed. */
export const withoutAnswerFor =
  (...types: readonly string[]) =>
  (store: EventStore): EventStore => {
    const closed = new AbortController();
    setMaxListeners(0, closed.signal);
    return otherwise(store, {
      append: async (stream, expected, events) => {
        if (!events.some(({ type }) => types.includes(type))) return store.append(stream, expected, events);
        await pause(ENDLESS_MS, closed.signal);
        throw new Error('the store was closed');
      },
      close: () => {
        closed.abort();
        return store.close();
      },
    });
  };

/** The name of the projector and of its lease. */
const READ_MODEL_WRITER = 'webhook-deliveries';

export const GIVEN_AWAY_TWICE: Lease = {
  acquire: async (name, signal) => {
    if (name !== READ_MODEL_WRITER)
      return { fence: 1, lost: new AbortController().signal, release: async () => undefined };
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return undefined;
  },
};

export function keptFrom(first: Position | undefined): Checkpoints {
  const kept = new Map([[OUTBOX_READER, first]]);
  return {
    load: async (reader) => kept.get(reader),
    save: async (reader, position) => {
      kept.set(reader, position);
      return true;
    },
  };
}
