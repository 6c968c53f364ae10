import type { EventStore } from '@ponte/event-sourcing';
import type { RealEsdb } from '@ponte/testing';
import { describeEventStore, findRealEsdb, startEsdbServer } from '@ponte/testing';
import { openEventStoreDb } from './open';

const silent = { warn: () => undefined, error: () => undefined };
/** The suite floods the store on a machine that may be busy; its rules are not about time. */
const patient = { appendMs: 60_000, readMs: 60_000 };
const openStore = (connectionString: string): Promise<EventStore> => openEventStoreDb({ connectionString, logger: silent, limits: patient });

async function under(connectionString: string, cleanUp: () => Promise<void>) {
  const stores = [await openStore(connectionString)];
  const store = stores[0] as EventStore;
  return {
    store,
    reopen: async () => {
      await store.close();
      const again = await openStore(connectionString);
      stores.push(again);
      return again;
    },
    cleanUp: async () => {
      for (const one of stores) await one.close();
      await cleanUp();
    },
  };
}

const say = (text: string): void => void process.stderr.write(`EventStoreDB contract: ${text}\n`);

describeEventStore('EventStoreDB adapter on the test server', async () => {
  const server = await startEsdbServer({ faulty: false });
  return under(server.connectionString, () => server.stop());
});

// `npm run test:engines` asks for the real engines; ESDB_URL asks for this one.
const asked = process.env['ESDB_URL'] !== undefined || process.env['PONTE_ENGINES'] === 'real';

if (asked) {
  describe('the real one', () => {
    let real: RealEsdb | undefined;
    const STARTUP_MS = 240_000;
    beforeAll(async () => {
      real = await findRealEsdb();
      say(real ? `ran on the test server and on ${real.name}` : 'ran on the test server only; set ESDB_URL or start a container runtime for the product');
    }, STARTUP_MS);
    afterAll(async () => { await real?.stop(); });

    describeEventStore('EventStoreDB adapter on the product, when there is one', async () => {
      if (real) return under(real.connectionString, async () => undefined);
      const server = await startEsdbServer({ faulty: false });
      return under(server.connectionString, () => server.stop());
    });
  });
} else {
  afterAll(() => say('ran on the test server only; set ESDB_URL, or run npm run test:engines, for the product'));
}
