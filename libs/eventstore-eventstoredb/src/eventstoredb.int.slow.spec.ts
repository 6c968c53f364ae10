import type { EventStore } from '@ponte/event-sourcing';
import type { RealEsdb } from '@ponte/testing';
import {
  describeEventStore,
  describePositions,
  hasContainerRuntime,
  realEnginesWanted,
  startEsdbServer,
  startRealEsdb,
} from '@ponte/testing';
import { openEventStoreDb } from './open';

const silent = { warn: () => undefined, error: () => undefined };
/** The suite floods the store on a machine that may be busy, and it does not test times. */
const patient = { appendMs: 60_000, readMs: 60_000 };
const openStore = (connectionString: string): Promise<EventStore> =>
  openEventStoreDb({ connectionString, logger: silent, limits: patient });

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

/** No log of a test reaches this position. */
const BEYOND = '9000000000000:9000000000000';
const positionsUnder = async (connectionString: string, stop: () => Promise<void>) => {
  const store = await openEventStoreDb({ connectionString, logger: silent, limits: { ...patient, confirmMs: 50 } });
  return {
    store,
    beyond: async () => BEYOND,
    cleanUp: async () => {
      await store.close();
      await stop();
    },
  };
};

describePositions('EventStoreDB adapter on the test server', async () => {
  const server = await startEsdbServer({ faulty: false });
  return positionsUnder(server.connectionString, () => server.stop());
});

// The product is used if it is given, or if `npm run test:engines` requests real engines and containers can be started.
const wanted = realEnginesWanted();
const hasProduct = Boolean(process.env['ESDB_URL']) || (wanted && hasContainerRuntime());
const STARTUP_MS = 240_000;
let product: RealEsdb | undefined;

afterAll(async () => {
  await product?.stop();
  const how = wanted
    ? 'set ESDB_URL or start a container runtime'
    : 'set ESDB_URL, or run npm run test:engines where containers can be started,';
  say(
    product
      ? `ran on the test server and on ${product.name}`
      : `ran on the test server, not the product; ${how} for that`,
  );
});

if (hasProduct) {
  describe('the product', () => {
    beforeAll(async () => {
      product = await startRealEsdb();
    }, STARTUP_MS);

    describeEventStore('EventStoreDB adapter on the product', () =>
      under(product?.connectionString ?? '', async () => undefined),
    );
    describePositions('EventStoreDB adapter on the product', () =>
      positionsUnder(product?.connectionString ?? '', async () => undefined),
    );
  });
}
