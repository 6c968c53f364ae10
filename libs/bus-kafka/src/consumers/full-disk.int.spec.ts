import { Unavailable } from '@ponte/kernel';
import type { BrokerProcess, SmallDisk, TestBroker } from '@ponte/testing';
import { anEvent, describeOnRealEngine, eventually, openSmallDisk, sayEngine, startKeptBroker } from '@ponte/testing';
import {
  Ask,
  context,
  expectWhole,
  PATIENT_MS,
  recorder,
  REPLACED_MS,
  STARTUP_MS,
  stream,
} from '../broker-under-test.testing';
import { ClusterUnderTest, SERVICE } from '../cluster.testing';

const DISK_BYTES = 128 * 1_024 * 1_024;
const STREAMS = 5;
const ASKED = 8;

describeOnRealEngine('Kafka, on a full disk', () => {
  let disk: SmallDisk | undefined;
  let broker: (TestBroker & { readonly process: BrokerProcess }) | undefined;
  let cluster: ClusterUnderTest | undefined;
  beforeAll(async () => {
    disk = openSmallDisk(DISK_BYTES);
    broker = disk && (await startKeptBroker(disk.path));
  }, STARTUP_MS);
  afterEach(() => cluster?.cleanUp(), REPLACED_MS);
  afterAll(async () => {
    sayEngine('Kafka on a full disk', broker?.name ?? 'nothing: mounting a disk is not permitted');
    await broker?.stop();
    disk?.remove();
  });

  test(
    'the broker ends and requests are refused as unavailable; started again with space, every event arrives in order and none counts as lost',
    async () => {
      if (!disk || !broker) return;
      const { process } = broker;
      cluster = new ClusterUnderTest(broker);
      cluster.relay();
      const { seen, note } = recorder();
      const gaps: string[] = [];
      const consumer = cluster.bus({ log: cluster.store, observer: { gap: (service) => void gaps.push(service) } });
      consumer.consume({ group: 'g', service: SERVICE, consume: async (event) => note(event) });
      consumer.handle(Ask.pattern, async (payload) => payload);
      await consumer.start();
      // Short, because requests are lost with the broker.
      const client = cluster.bus({ service: 'asker', limits: { requestMs: 2_000 } });
      await client.start();
      const ask = () => client.request(Ask, { n: 1 }, context());
      const streams = Array.from({ length: STREAMS }, () => stream());
      let published = 0;
      const publish = async (): Promise<void> => {
        for (const one of streams) await (cluster as ClusterUnderTest).publish(one, anEvent());
        published += 1;
      };
      await publish();
      await eventually(ask, REPLACED_MS);
      await eventually(() => expectWhole(seen, streams, published), REPLACED_MS);

      disk.fill();
      let isEnded = false;
      const ended = process.ended().then(() => {
        isEnded = true;
      });
      const failures: unknown[] = [];
      // Segments of the broker may have room for some events.
      while (!isEnded) {
        const requests = Array.from({ length: ASKED }, () =>
          ask().catch((error: unknown) => void failures.push(error)),
        );
        await Promise.all([publish(), ...requests]);
      }
      await ended;
      expect(failures.filter((failure) => !(failure instanceof Unavailable))).toEqual([]);
      await publish();
      await expect(ask()).rejects.toThrow(Unavailable);

      disk.free();
      await process.restart();
      await eventually(ask, REPLACED_MS);
      await eventually(() => expectWhole(seen, streams, published), REPLACED_MS);
      // A broker that ended at a failed write still has all that was read of it, so no loss is reported.
      expect([await cluster.parkedEvents.list(), gaps]).toEqual([[], []]);
    },
    PATIENT_MS,
  );
});
