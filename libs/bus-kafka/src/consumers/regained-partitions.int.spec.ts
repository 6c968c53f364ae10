import { anEvent, CutWire, describeOnRealEngine, eventually } from '@ponte/testing';
import { SERVICE } from '../cluster.testing';
import {
  REPLACED_MS,
  PATIENT_MS,
  stream,
  broker,
  cluster,
  brokerUnderTest,
  consuming,
  recorder,
} from '../broker-under-test.testing';

describeOnRealEngine('Kafka: a member whose session ended', () => {
  brokerUnderTest();

  test(
    'gets its partitions back from another one, goes on where that one was, and parks nothing',
    async () => {
      cluster.relay();
      let groupId = '';
      const shares = new Map<string, readonly number[]>();
      const observer = (who: string) => ({
        assigned: (group: string, of: Readonly<Record<string, readonly number[]>>): void => {
          if (!group.endsWith(`.${SERVICE}`)) return;
          groupId = group;
          shares.set(who, Object.values(of).flat());
        },
      });
      const { seen, note } = recorder();
      const wire = new CutWire();
      await Promise.all([
        // The group shares its partitions in the order of these names, so the first member gets the same ones again.
        consuming(async (event) => note(event), {
          ...{ instance: 'a1', log: cluster.store, observer: observer('first') },
          connection: { brokers: broker.brokers, socketFactory: wire.socketFactory },
        }),
        consuming(async (event) => note(event), { instance: 'a2', log: cluster.store, observer: observer('second') }),
      ]);
      await eventually(() => expect([...shares.values()].map((share) => share.length)).toEqual([2, 2]), REPLACED_MS);
      const before = shares.get('first');

      const streams = Array.from({ length: 20 }, () => stream());
      const publish = async (): Promise<void> => {
        for (const one of streams) await cluster.publish(one, anEvent());
      };
      const committed = async (): Promise<number> => {
        const topics = await cluster.administer((admin) => admin.fetchOffsets({ groupId }));
        return topics
          .flatMap((topic) => topic.partitions)
          .reduce((all, one) => all + Math.max(0, Number(one.offset)), 0);
      };
      await publish();
      await eventually(async () => expect(await committed()).toBe(20), REPLACED_MS);
      wire.break();
      await eventually(() => expect([...(shares.get('second') ?? [])].sort()).toEqual([0, 1, 2, 3]), REPLACED_MS);
      await publish();
      await eventually(async () => expect(await committed()).toBe(40), REPLACED_MS);
      wire.mend();
      await eventually(() => expect(shares.get('second')).toHaveLength(2), REPLACED_MS);
      await publish();
      await eventually(async () => expect(await committed()).toBe(60), REPLACED_MS);
      expect([shares.get('first'), await cluster.parkedEvents.list('g')]).toEqual([before, []]);
      expect(new Set([...seen.values()].map(String))).toEqual(new Set(['0,1,2']));
    },
    PATIENT_MS,
  );
});
