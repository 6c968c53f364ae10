import { join } from 'node:path';
import type { EventToAppend } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { BusUnderTest, OrderRow } from '@ponte/testing';
import {
  describeEdgeState,
  describeEventStore,
  describeMessageBus,
  describeParkedEvents,
  describePositions,
  describePersonalData,
  describeProgress,
  describeProjector,
  describeSnapshots,
  describeViewTable,
  freshId,
  ORDER_TABLE,
  temporaryFolder,
} from '@ponte/testing';
import { createInProcessBus } from '@ponte/bus-in-process';
import {
  openSqliteEdgeState,
  openSqliteEventStore,
  openSqlitePersonalData,
  openSqliteSnapshots,
  openSqliteState,
  openSqliteViews,
} from '@ponte/eventstore-sqlite';
import { createViewCheckpoints, createViewTable, runProjector } from '@ponte/read-models';

/** In the one thread of the process, and in one of their own. */
const WRITES = ['inline', 'thread'] as const;
const silent = { warn: () => undefined, error: () => undefined };

describe.each(WRITES)('%s', (writes) =>
  describeEventStore('SQLite', async () => {
    const folder = temporaryFolder();
    const options = { file: join(folder.path, 'events.db'), durability: 'off', writes } as const;
    const store = openSqliteEventStore(options);
    return {
      store,
      reopen: async () => {
        await store.close();
        return openSqliteEventStore(options);
      },
      cleanUp: async () => {
        await store.close();
        folder.remove();
      },
    };
  }),
);

describeSnapshots('SQLite', async () => {
  const folder = temporaryFolder();
  const open = () => openSqliteSnapshots(join(folder.path, 'snapshots.db'), 'off');
  let snapshots = open();
  return {
    snapshots,
    reopen: async () => {
      await snapshots.close();
      return (snapshots = open());
    },
    cleanUp: async () => {
      await snapshots.close();
      folder.remove();
    },
  };
});
describe.each(WRITES)('%s', (writes) =>
  describePositions('SQLite', async () => {
    const folder = temporaryFolder();
    const store = openSqliteEventStore({ file: join(folder.path, 'events.db'), durability: 'off', writes });
    return {
      store,
      beyond: async () => '7',
      cleanUp: async () => {
        await store.close();
        folder.remove();
      },
    };
  }),
);

describeProgress('SQLite', async () => {
  const folder = temporaryFolder();
  const open = () => openSqliteState(join(folder.path, 'state.db'), 'off');
  const states = [open()];
  return {
    ...(states[0] as ReturnType<typeof open>),
    reopen: async () => {
      await states[0]?.close();
      states[0] = open();
      return states[0];
    },
    cleanUp: async () => {
      await states[0]?.close();
      folder.remove();
    },
  };
});

describe.each(WRITES)('%s', (writes) =>
  describeProgress('Kysely over SQLite views', async () => {
    const folder = temporaryFolder();
    const open = async () => {
      const db = openSqliteViews<unknown>(join(folder.path, 'views.db'), 'off', writes);
      const checkpoints = createViewCheckpoints(db);
      await checkpoints.prepare();
      const state = openSqliteState(join(folder.path, 'state.db'), 'off');
      return { checkpoints, lease: state.lease, close: () => Promise.all([db.destroy(), state.close()]) };
    };
    let current = await open();
    return {
      ...current,
      reopen: async () => {
        await current.close();
        current = await open();
        return current;
      },
      cleanUp: async () => {
        await current.close();
        folder.remove();
      },
    };
  }),
);

describeParkedEvents('SQLite', async () => {
  const folder = temporaryFolder();
  const open = () => openSqliteState(join(folder.path, 'state.db'), 'off');
  let current = open();
  return {
    parkedEvents: current.parkedEvents,
    reopen: async () => {
      await current.close();
      current = open();
      return current.parkedEvents;
    },
    cleanUp: async () => {
      await current.close();
      folder.remove();
    },
  };
});

describeProjector('SQLite', async () => {
  const folder = temporaryFolder();
  const state = openSqliteState(join(folder.path, 'state.db'), 'off');
  return {
    ...state,
    run: runProjector,
    cleanUp: async () => {
      await state.close();
      folder.remove();
    },
  };
});

describe.each(WRITES)('%s', (writes) =>
  describeViewTable('SQLite', async () => {
    const folder = temporaryFolder();
    const open = () => openSqliteViews<unknown>(join(folder.path, 'views.db'), 'off', writes);
    const table = (db: ReturnType<typeof open>) => createViewTable<OrderRow>({ db, ...ORDER_TABLE });
    let db = open();
    return {
      orders: table(db),
      reopen: async () => {
        await db.destroy();
        db = open();
        return table(db);
      },
      cleanUp: async () => {
        await db.destroy();
        folder.remove();
      },
    };
  }),
);

describeEdgeState('SQLite', async () => {
  const folder = temporaryFolder();
  const edgeState = openSqliteEdgeState(join(folder.path, 'edge.db'), 'off');
  return {
    edgeState,
    cleanUp: async () => {
      await edgeState.close();
      folder.remove();
    },
  };
});

describePersonalData('SQLite', async () => {
  const folder = temporaryFolder();
  const open = () => openSqlitePersonalData({ directory: folder.path, durability: 'off' });
  let current = open();
  return {
    personalData: current,
    reopen: async () => {
      await current.close();
      current = open();
      return current;
    },
    cleanUp: async () => {
      await current.close();
      folder.remove();
    },
  };
});

/** Retries within milliseconds, as many as in production. */
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
        // A consumer that a test left hanging never finishes; the bus of a crashed process is not waited for.
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

test('claims of a process that died are free to the same request as soon as the file is opened again, and to no other', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'edge.db');
  const claim = { scope: 'a', bodyHash: 'body', nowMs: 1_000, lockMs: 30_000 };
  const dead = openSqliteEdgeState(file, 'off');
  const first = await dead.begin(claim);
  await dead.begin({ ...claim, scope: 'b' });
  await dead.close();
  const next = openSqliteEdgeState(file, 'off');
  expect(await next.begin({ ...claim, nowMs: 1_001, bodyHash: 'another' })).toEqual({ kind: 'other-body' });
  const second = await next.begin({ ...claim, nowMs: 1_001 });
  expect(second.kind).toBe('started');
  expect((second as { fence: number }).fence).toBeGreaterThan((first as { fence: number }).fence);
  expect(await next.begin({ ...claim, nowMs: 1_002 })).toEqual({ kind: 'in-progress' });
  await next.close();
  folder.remove();
});
