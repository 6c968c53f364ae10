import { setMaxListeners } from 'node:events';
import type { Checkpoints, EventStore, Lease, Position } from '@ponte/event-sourcing';
import { pause } from '@ponte/concurrency';
import { OUTBOX_READER } from '../outbox/outbox-projector';

/** Longer than any test. */
const ENDLESS_MS = 600_000;

const otherwise = (store: EventStore, changed: Partial<EventStore>): EventStore => ({
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

/** A store into which others write too. */
export const sharedWithOthers = (store: EventStore): EventStore =>
  otherwise(store, { soleWriter: false, close: async () => undefined });

/**
 * A store that never answers an append to streams of this category, and never carries it out; when it is closed, its
 * callers get no answer.
 */
export const withoutAnswerFor =
  (category: string) =>
  (store: EventStore): EventStore => {
    const closed = new AbortController();
    setMaxListeners(0, closed.signal);
    return otherwise(store, {
      append: async (stream, ...rest) => {
        if (!stream.startsWith(`${category}-`)) return store.append(stream, ...rest);
        await pause(ENDLESS_MS, closed.signal);
        throw new Error('the store was closed');
      },
      close: () => {
        closed.abort();
        return store.close();
      },
    });
  };

/** Of the lease, too. */
const VIEW_WRITER = 'webhook-deliveries';

export const GIVEN_AWAY_TWICE: Lease = {
  acquire: async (name, signal) => {
    if (name !== VIEW_WRITER) return { fence: 1, lost: new AbortController().signal, release: async () => undefined };
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
