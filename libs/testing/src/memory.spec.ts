import { describeEventStore } from './contracts/event-store.contract';
import { describeParkedEvents } from './contracts/parked-events.contract';
import { describePositions } from './contracts/positions.contract';
import { MemoryEventStore } from './memory/event-store';
import { MemoryParkedEvents } from './memory/parked-events';

describe.each([true, false])('sole writer: %s', (soleWriter) => {
  describeEventStore('Memory', async () => {
    const store = new MemoryEventStore({ soleWriter });
    return {
      store,
      reopen: async () => {
        await store.close();
        return new MemoryEventStore({ soleWriter, log: store.log });
      },
      cleanUp: () => store.close(),
    };
  });

  describePositions('Memory', async () => {
    const store = new MemoryEventStore({ soleWriter });
    return { store, beyond: async () => '7', cleanUp: () => store.close() };
  });
});

describeParkedEvents('Memory', async () => {
  const parkedEvents = new MemoryParkedEvents();
  return { parkedEvents, reopen: async () => parkedEvents, cleanUp: async () => undefined };
});
