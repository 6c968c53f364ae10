import { setImmediate as immediately } from 'node:timers/promises';
import type { CommandContext, EventStore, ReadOptions } from '@ponte/event-sourcing';
import type { MemoryEventStore } from './memory/event-store';
import { freshId } from './recorded';

export const command = (commandId = freshId()): CommandContext => ({
  commandId,
  correlationId: commandId,
  now: () => '2026-01-02T03:04:05.678Z',
});
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await immediately();
};

/** Wraps a store and records its reads. */
export function counting(store: MemoryEventStore): { store: EventStore; reads: ReadOptions[] } {
  const reads: ReadOptions[] = [];
  const counted: EventStore = {
    soleWriter: store.soleWriter,
    append: (...append) => store.append(...append),
    read(stream, options = {}) {
      reads.push(options);
      return store.read(stream, options);
    },
    subscribe: (filter) => store.subscribe(filter),
    newest: (options) => store.newest(options),
    head: () => store.head(),
    comparePositions: (a, b) => store.comparePositions(a, b),
    close: () => store.close(),
  };
  return { store: counted, reads };
}
