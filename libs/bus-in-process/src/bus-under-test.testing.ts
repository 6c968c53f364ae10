import type { ParkedEvent, Position, RequestContext } from '@ponte/event-sourcing';
import { command, NO_STREAM } from '@ponte/event-sourcing';
import { eventsOf, freshId, MemoryEventStore } from '@ponte/testing';
import type { InProcessBus } from './message-bus';
import type { InProcessBusOptions } from './message-bus-options';
import { createInProcessBus } from './message-bus';

export const Ask = command<object, unknown>('ledger', 'ask', () => undefined);
export const context: RequestContext = { commandId: 'c', correlationId: 'c' };

export let store: MemoryEventStore;
/** What the bus of a test has stored, and how many of the next attempts to park will fail. */
export const kept = { saved: undefined as Position | undefined, parked: [] as ParkedEvent[], parkingFails: 0 };
export let logged: { readonly fields: object; readonly message: string }[];
export let buses: InProcessBus[];

export const bus = (options: Partial<InProcessBusOptions> = {}): InProcessBus => {
  const log = (fields: object, message: string): void => void logged.push({ fields, message });
  const made = createInProcessBus({
    store,
    systemNow: () => 0,
    logger: { warn: log, error: log },
    serviceCategories: { ledger: ['deposit'], orders: ['order'] },
    checkpoints: {
      load: async () => kept.saved,
      save: async (_, position) => {
        kept.saved = position;
        return true;
      },
    },
    parkedEvents: {
      add: async (one) => {
        if ((kept.parkingFails -= 1) >= 0) throw new Error('disk full');
        kept.parked.push(one);
      },
      list: async () => kept.parked,
      replace: async () => undefined,
      remove: async (_, id) => {
        kept.parked = kept.parked.filter((one) => one.event.id !== id);
      },
      reasons: async () => kept.parked,
      page: async () => kept.parked,
      isAwaited: async () => false,
      place: async () => ({ isDiscarded: false }),
      counts: async () => [],
      keys: async () => new Set(),
      discard: async () => undefined,
      keep: async () => false,
      removeUndone: async () => undefined,
      discardTogether: async () => new Set(),
      discarded: async () => [],
      failedAgain: async () => undefined,
      gapFilled: async () => undefined,
    },
    retries: { failed: [1, 1], unavailable: [1, 1, 1, 1, 1, 1] },
    ...options,
  });
  buses.push(made);
  return made;
};
export const publish = (stream: string, ...data: object[]) =>
  store.append(stream, NO_STREAM, eventsOf(freshId(), ...data));

/** A new store for each test of a file, whose buses are stopped afterwards. */
export function useBusesForEachTest(): void {
  beforeEach(() => {
    store = new MemoryEventStore();
    Object.assign(kept, { saved: undefined, parked: [], parkingFails: 0 });
    [logged, buses] = [[], []];
  });
  afterEach(async () => {
    await Promise.all(buses.map((one) => one.stop()));
    await store.close();
  });
}
