import { join } from 'node:path';
import Database from 'libsql';
import type { OrderRow } from '@ponte/testing';
import {
  describeEventStore,
  describeParkedEvents,
  describePositions,
  describePersonalData,
  describeProgress,
  describeProjector,
  describeSnapshots,
  describeReadModelTable,
  ORDER_TABLE,
  temporaryFolder,
} from '@ponte/testing';
import {
  openSqliteEventStore,
  openSqlitePersonalData,
  openSqliteSnapshots,
  openSqliteState,
  openSqliteReadModels,
} from '@ponte/eventstore-sqlite';
import { createReadModelCheckpoints, createReadModelTable, runProjector } from '@ponte/read-models';

/** In the main thread of the process, and in a separate thread. */
const WRITES = ['inline', 'thread'] as const;

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
  describeProgress('Kysely over SQLite read models', async () => {
    const folder = temporaryFolder();
    const open = async () => {
      const db = openSqliteReadModels<unknown>(join(folder.path, 'read-models.db'), 'off', writes);
      const checkpoints = createReadModelCheckpoints(db);
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
    run: async (statement) => {
      const db = new Database(join(folder.path, 'state.db'));
      db.exec(statement);
      db.close();
    },
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
  describeReadModelTable('SQLite', async () => {
    const folder = temporaryFolder();
    const open = () => openSqliteReadModels<unknown>(join(folder.path, 'read-models.db'), 'off', writes);
    const table = (db: ReturnType<typeof open>) => createReadModelTable<OrderRow>({ db, ...ORDER_TABLE });
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
