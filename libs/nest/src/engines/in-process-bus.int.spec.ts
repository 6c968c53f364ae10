import { join } from 'node:path';
import type { EventToAppend } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { BusUnderTest } from '@ponte/testing';
import { describeMessageBus, freshId, temporaryFolder } from '@ponte/testing';
import { createInProcessBus } from '@ponte/bus-in-process';
import { openSqliteEventStore, openSqliteState } from '@ponte/eventstore-sqlite';

const silent = { warn: () => undefined, error: () => undefined };

/** As many retries as in production, but within milliseconds. */
const retries = { failed: [1, 2, 3, 4], unexpected: [1, 2], unavailable: [1, 2, 3, 4] };

describeMessageBus('In process, from the log', async () => {
  const folder = temporaryFolder();
  const store = openSqliteEventStore({ file: join(folder.path, 'events.db'), durability: 'off' });
  const state = openSqliteState(join(folder.path, 'state.db'), 'off');
  const buses: { stop(): Promise<void> }[] = [];
  const category = `kind${freshId()}`;
  const heads = new Map<string, number>();
  const publish = async (stream: string, events: readonly EventToAppend[]): Promise<void> => {
    const { revision } = await store.append(stream, heads.get(stream) ?? NO_STREAM, events);
    heads.set(stream, revision);
  };
  const make = (): BusUnderTest => {
    const bus = createInProcessBus({
      store,
      checkpoints: state.checkpoints,
      parkedEvents: state.parkedEvents,
      systemNow: Date.now,
      logger: silent,
      serviceCategories: { contract: [category], other: ['other'] },
      checkPayloads: true,
      retries,
    });
    buses.push(bus);
    return {
      bus,
      parkingLot: bus,
      service: 'contract',
      category,
      tries: retries.failed.length + 1,
      now: Date.now,
      publish,
      restart: async (how) => {
        if (how === 'stop') await bus.stop();
        return make();
      },
      cleanUp: async () => {
        // A consumer that a test left hanging never finishes, so the bus of a simulated crash is not waited for.
        await Promise.race([
          Promise.all(buses.map((one) => one.stop())),
          new Promise((resolve) => {
            setTimeout(resolve, 200).unref();
          }),
        ]);
        await store.close();
        await state.close();
        folder.remove();
      },
    };
  };
  return make();
});
