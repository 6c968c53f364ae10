import { anEvent, CutWire, describeOnRealEngine, eventually } from '@ponte/testing';
import { SERVICE } from '../cluster.testing';
import { commitAcknowledged } from './acknowledged';
import {
  REPLACED_MS,
  PATIENT_MS,
  Ask,
  context,
  stream,
  broker,
  cluster,
  brokerUnderTest,
  consuming,
  answering,
  asking,
  recorder,
  expectWhole,
} from '../broker-under-test.testing';

describeOnRealEngine('Kafka, when members of a group fail', () => {
  brokerUnderTest();

  test(
    'offsets count as committed only if the brokers have them, even while the client is stopping',
    async () => {
      const topic = `${cluster.namespace}commits`;
      await cluster.administer((admin) => admin.createTopics({ topics: [{ topic }], waitForLeaders: true }));
      const groupId = `${cluster.namespace}committing`;
      const consumer = cluster.client.consumer({ groupId });
      const commit = (offset: string) => commitAcknowledged(consumer, [{ topic, partition: 0, offset }]);
      try {
        await consumer.connect();
        await consumer.subscribe({ topics: [topic] });
        await consumer.run({ autoCommit: false, eachMessage: async () => undefined });
        await eventually(async () => expect(await commit('0')).toBe(true), REPLACED_MS);
        const stopping = consumer.stop();
        expect(await commit('1')).toBe(false);
        await stopping;
      } finally {
        await consumer.disconnect();
      }
      const committed = await cluster.administer((admin) => admin.fetchOffsets({ groupId, topics: [topic] }));
      expect(committed).toMatchObject([{ partitions: [{ partition: 0, offset: '0' }] }]);
    },
    PATIENT_MS,
  );

  describe('members of a group', () => {
    test(
      'share the partitions; if one is killed, the other takes over without losing events or their order',
      async () => {
        cluster.relay();
        const shares = new Map<string, readonly number[]>();
        const observer = (who: string) => ({
          assigned: (group: string, of: Readonly<Record<string, readonly number[]>>): void => {
            if (group.endsWith(`.${SERVICE}`)) shares.set(who, Object.values(of).flat());
          },
        });
        const { seen, note } = recorder();
        const wire = new CutWire();
        let dead = false;
        const doomed = consuming(
          async (event) => {
            if (dead) return new Promise(() => undefined);
            note(event);
          },
          { observer: observer('doomed'), connection: { brokers: broker.brokers, socketFactory: wire.socketFactory } },
        );
        await Promise.all([doomed, consuming(async (event) => note(event), { observer: observer('other') })]);
        await eventually(() => expect([...shares.values()].map((share) => share.length)).toEqual([2, 2]), REPLACED_MS);
        expect(new Set([...shares.values()].flat()).size).toBe(4);

        const streams = Array.from({ length: 20 }, () => stream());
        for (let round = 0; round < 10; round += 1) {
          for (const one of streams) await cluster.publish(one, anEvent());
          if (round === 5) {
            await eventually(() => expect(seen.size).toBe(streams.length));
            dead = true;
            wire.break();
          }
        }
        await eventually(() => expectWhole(seen, streams, 10), REPLACED_MS);
        expect([...(shares.get('other') ?? [])].sort()).toEqual([0, 1, 2, 3]);
      },
      PATIENT_MS,
    );

    test(
      'that restart under the same name replace their predecessor, which died without leaving, long before its session ends',
      async () => {
        const limits = { sessionMs: 60_000, startMs: 30_000 };
        const wire = new CutWire();
        const again = { service: SERVICE, instance: 'one', limits };
        await answering({ ...again, connection: { brokers: broker.brokers, socketFactory: wire.socketFactory } });
        wire.break();
        await answering(again);
        expect(await (await asking()).request(Ask, { n: 1 }, context(Date.now() + limits.startMs))).toEqual({ n: 1 });
      },
      PATIENT_MS,
    );

    test(
      'can join while requests are in progress, and all requests are answered',
      async () => {
        await answering();
        const client = await asking({ limits: { requestMs: 20_000 } });
        const answers: Promise<unknown>[] = [];
        let n = 0;
        const ask = (): void => {
          answers.push(client.request(Ask, { n: (n += 1) }, context()));
        };
        ask();
        await answers[0];
        const second = answering();
        while (answers.length < 200) {
          ask();
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
        }
        const third = await second;
        for (let at = 0; at < 50; at += 1) ask();
        await third.stop();
        for (let at = 0; at < 50; at += 1) ask();
        expect(await Promise.all(answers)).toEqual(Array.from({ length: n }, (_, at) => ({ n: at + 1 })));
      },
      PATIENT_MS,
    );

    test(
      'recover by themselves after losing their brokers for longer than a session',
      async () => {
        cluster.relay();
        const { seen, note } = recorder();
        const wire = new CutWire();
        await consuming(async (event) => note(event), {
          connection: { brokers: broker.brokers, socketFactory: wire.socketFactory },
        });
        const one = stream();
        await cluster.publish(one, anEvent());
        await eventually(() => expectWhole(seen, [one], 1));
        wire.break();
        await eventually(
          () =>
            expect(
              cluster.logged.filter(({ message }) => message.includes('could not be started')).length,
            ).toBeGreaterThan(1),
          REPLACED_MS,
        );
        await cluster.publish(one, anEvent());
        wire.mend();
        await eventually(() => expectWhole(seen, [one], 2), REPLACED_MS);
      },
      PATIENT_MS,
    );

    test(
      'pause a partition while too much of it is unfinished, and process the rest later',
      async () => {
        let release = (): void => undefined;
        const released = new Promise<void>((resolve) => {
          release = resolve;
        });
        let [atWork, unfinished] = [0, 0];
        const handled = new Set<string>();
        for (let at = 0; at < 500; at += 1) await cluster.publish(stream(), anEvent());
        cluster.relay({ topics: { partitions: 1 } });
        await eventually(() => expect(cluster.checkpoints.position).toBe('500'));
        await consuming(
          async (event) => {
            atWork += 1;
            await released;
            handled.add(event.stream);
          },
          {
            limits: { atOnce: 16, unfinished: 100, fetchWaitMs: 50, commitEveryMs: 5 },
            observer: {
              unfinished: (group, messages) => {
                if (group.endsWith(`.${SERVICE}`)) unfinished = Math.max(unfinished, messages);
              },
            },
          },
        );
        await eventually(() => expect([atWork, unfinished]).toEqual([16, 100]));
        release();
        await eventually(() => expect(handled.size).toBe(500));
        expect([atWork, unfinished]).toEqual([500, 100]);
      },
      PATIENT_MS,
    );
  });
});
