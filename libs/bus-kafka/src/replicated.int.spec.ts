import { Unavailable } from '@ponte/kernel';
import type { Recorded, RequestContext } from '@ponte/event-sourcing';
import { command } from '@ponte/event-sourcing';
import type { TestBroker } from '@ponte/testing';
import { anEvent, describeOnRealEngine, eventually, freshId, sayEngine, startBrokers } from '@ponte/testing';
import { CATEGORY, ClusterUnderTest, SERVICE } from './cluster.testing';

const BROKERS = 3;
const STARTUP_MS = 240_000;
/** A killed broker is noticed after its session; its partitions have other leaders then. */
const REPLACED_MS = 40_000;
const PATIENT_MS = 240_000;
const STREAMS = 10;

const Ask = command<{ readonly n: number }, { readonly n: number }>(SERVICE, 'ask', ({ n }) => `key-${n}`);
const context = (): RequestContext => ({ commandId: freshId(), correlationId: freshId() });

/** As in production: three copies, of which two must have every acknowledged message. */
describeOnRealEngine('Kafka of three brokers', () => {
  let brokers: readonly TestBroker[];
  let cluster: ClusterUnderTest;
  let busy = true;
  let load: Promise<void> | undefined;
  beforeAll(async () => {
    brokers = await startBrokers(BROKERS);
    cluster = new ClusterUnderTest({
      brokers: brokers.flatMap((one) => one.brokers),
      name: 'three brokers',
      stop: async () => undefined,
    });
  }, STARTUP_MS);
  afterAll(async () => {
    // After a failed test the load would continue, and its errors about the closed store would hide the cause.
    busy = false;
    await load;
    await cluster?.cleanUp();
    sayEngine('Kafka of three brokers', brokers?.[0]?.name ?? 'nothing');
    await Promise.all((brokers ?? []).map((one) => one.stop()));
  }, REPLACED_MS);

  const topics = { partitions: 6, replication: BROKERS };
  /** Whether each partition of every topic has all its copies. */
  const whole = async (): Promise<boolean> =>
    cluster.administer(async (admin) => {
      const { topics: found } = await admin.fetchTopicMetadata({
        topics: (await cluster.topics()).map((topic) => cluster.namespace + topic),
      });
      return found.every(({ partitions }) => partitions.every(({ isr }) => isr.length === BROKERS));
    });

  test(
    'each broker is killed under load: the others continue, nothing is lost and streams keep their order; without two of three, nothing is acknowledged',
    async () => {
      cluster.relay({ topics });
      const seen = new Map<string, number[]>();
      const consumer = cluster.bus({ topics });
      consumer.consume({
        group: 'g',
        service: SERVICE,
        consume: async ({ stream, revision }: Recorded) =>
          void seen.set(stream, [...(seen.get(stream) ?? []), revision]),
      });
      await consumer.start();
      const server = cluster.bus({ topics });
      server.handle(Ask.pattern, async (payload) => payload);
      await server.start();
      // Short, because requests are lost with a broker.
      const client = cluster.bus({ service: 'asker', topics, limits: { requestMs: 2_000 } });
      await client.start();

      const streams = Array.from({ length: STREAMS }, () => `${CATEGORY}-${freshId()}`);
      const outcomes = { answered: 0, unavailable: 0 };
      let published = 0;
      load = (async () => {
        for (; busy; published += 1) {
          for (const one of streams) await cluster.publish(one, anEvent());
          await client.request(Ask, { n: published }, context()).then(
            ({ n }) => {
              expect(n).toBe(published);
              outcomes.answered += 1;
            },
            (error: unknown) => {
              expect(error).toBeInstanceOf(Unavailable);
              outcomes.unavailable += 1;
            },
          );
        }
      })();
      const goesOn = async (): Promise<void> => {
        const [answered, reported] = [outcomes.answered, published];
        await eventually(() => expect(outcomes.answered).toBeGreaterThan(answered + 10), REPLACED_MS);
        await eventually(
          () => expect(Math.min(...streams.map((one) => new Set(seen.get(one)).size))).toBeGreaterThan(reported),
          REPLACED_MS,
        );
      };

      await goesOn();
      for (const { process: broker } of brokers) {
        await broker?.kill();
        // Checked while the killed broker is down; it is restarted afterwards.
        await goesOn();
        await broker?.restart();
        await eventually(async () => expect(await whole()).toBe(true), REPLACED_MS);
      }

      const [first, second] = brokers;
      await Promise.all([first?.process?.kill(), second?.process?.kill()]);
      const unavailable = outcomes.unavailable;
      await eventually(() => expect(outcomes.unavailable).toBeGreaterThan(unavailable + 1), REPLACED_MS);
      await Promise.all([first?.process?.restart(), second?.process?.restart()]);
      await goesOn();

      busy = false;
      await load;
      await eventually(() => {
        for (const one of streams) expect([...new Set(seen.get(one))]).toEqual([...Array(published).keys()]);
      }, REPLACED_MS);
      expect(await cluster.parkedEvents.list()).toEqual([]);
    },
    PATIENT_MS,
  );
});
