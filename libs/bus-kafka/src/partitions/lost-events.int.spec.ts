import type { Recorded } from '@ponte/event-sourcing';
import { anEvent, describeOnRealEngine, eventually } from '@ponte/testing';
import {
  REPLACED_MS,
  PATIENT_MS,
  stream,
  cluster,
  brokerUnderTest,
  consuming,
  expectWhole,
  recorder,
  send,
} from '../broker-under-test.testing';
import { CATEGORY, SERVICE } from '../cluster.testing';

const MISSING = 'earlier events of its stream are missing';

/** Appends the next event of each stream and returns them, in the order of the log. */
async function appended(streams: readonly string[]): Promise<Recorded[]> {
  for (const one of streams) await cluster.publish(one, anEvent());
  return Promise.all(streams.map(async (one) => (await cluster.store.read(one)).at(-1) as Recorded));
}

const many = (): string[] => Array.from({ length: 20 }, () => stream());
const parked = async () => (await cluster.parkedEvents.list('g')).filter(({ reason }) => reason === MISSING);

describeOnRealEngine('Kafka, when it loses events while no consumer runs', () => {
  brokerUnderTest();

  test(
    'a consumer parks their streams after its restart; once the events are published again, they are handled in order',
    async () => {
      const { seen, note } = recorder();
      const streams = many();
      const first = await consuming(async (event) => note(event), { log: cluster.store });
      await send(await appended(streams));
      await eventually(() => expectWhole(seen, streams, 1), REPLACED_MS);
      await first.stop();
      const lost = await appended(streams);
      const later = await appended(streams);
      await send(later);
      const second = await consuming(async (event) => note(event), { log: cluster.store });
      await eventually(async () => expect(await parked()).toHaveLength(streams.length), REPLACED_MS);
      expectWhole(seen, streams, 1);
      // What a relay publishes after it was rewound.
      await send([...lost, ...later]);
      await eventually(async () => expect(await cluster.parkedEvents.list('g')).toHaveLength(2 * streams.length));
      for (const one of streams) await second.release('g', one);
      expectWhole(seen, streams, 3);
    },
    PATIENT_MS,
  );

  test(
    'with two gaps in a stream, the events after the first are not handled either',
    async () => {
      const { seen, note } = recorder();
      const streams = many();
      const consume = async (event: Recorded): Promise<void> => note(event);
      const first = await consuming(consume, { log: cluster.store });
      await send(await appended(streams));
      await eventually(() => expectWhole(seen, streams, 1), REPLACED_MS);
      await first.stop();
      const lost = await appended(streams);
      const between = [...(await appended(streams)), ...(await appended(streams))];
      const alsoLost = await appended(streams);
      const later = await appended(streams);
      await send([...between, ...later]);
      const second = await consuming(consume, { log: cluster.store });
      const waiting = async () => (await cluster.parkedEvents.list('g')).length;
      await eventually(async () => expect(await waiting()).toBe(3 * streams.length), REPLACED_MS);
      expectWhole(seen, streams, 1);
      await send([...lost, ...between, ...alsoLost, ...later]);
      await eventually(async () => expect(await waiting()).toBe(5 * streams.length), REPLACED_MS);
      for (const one of streams) await second.release('g', one);
      expectWhole(seen, streams, 6);
    },
    PATIENT_MS,
  );

  test(
    'a restart and a new member without a loss park nothing, whichever events the relay repeats meanwhile',
    async () => {
      const { seen, note } = recorder();
      const streams = many();
      const consume = async (event: Recorded): Promise<void> => note(event);
      const first = await consuming(consume, { log: cluster.store });
      const events = await appended(streams);
      await send(events);
      await eventually(() => expectWhole(seen, streams, 1), REPLACED_MS);
      const next = await appended(streams);
      await send([...next, ...events.slice(5)]);
      await eventually(() => expectWhole(seen, streams, 2), REPLACED_MS);
      await first.stop();
      await send([...(await appended(streams)), ...events, ...next]);
      await consuming(consume, { log: cluster.store });
      await eventually(() => expectWhole(seen, streams, 3), REPLACED_MS);
      await consuming(consume, { log: cluster.store });
      await send(await appended(streams));
      await eventually(() => expectWhole(seen, streams, 4), REPLACED_MS);
      expect(await cluster.parkedEvents.list()).toEqual([]);
    },
    PATIENT_MS,
  );

  test(
    'a deleted segment is reported with the position to rewind the relay to, after which nothing is missing',
    async () => {
      const { seen, note } = recorder();
      const gaps: string[] = [];
      const consume = async (event: Recorded): Promise<void> => note(event);
      const observer = { gap: (service: string) => void gaps.push(service) };
      const streams = many();
      const first = await consuming(consume, { log: cluster.store, observer });
      const handled = await appended(streams);
      await send(handled);
      await eventually(() => expectWhole(seen, streams, 1), REPLACED_MS);
      await first.stop();

      const topic = `${cluster.namespace}${SERVICE}.events`;
      const quiet = many();
      const lost = [...(await appended(streams)), ...(await appended(quiet))];
      await send(lost);
      await cluster.administer(async (admin) =>
        admin.deleteTopicRecords({
          topic,
          partitions: (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => ({
            partition,
            offset: high,
          })),
        }),
      );
      const later = await appended(streams);
      await send(later);
      const second = await consuming(consume, { log: cluster.store, observer });
      await eventually(async () => expect(await parked()).toHaveLength(streams.length), REPLACED_MS);
      expect(gaps).toContain(SERVICE);
      const rewindPositions = cluster.logged.flatMap(({ fields }) =>
        'rewindTo' in fields ? [String(fields.rewindTo)] : [],
      );
      expect(rewindPositions).toHaveLength(4);
      const earliest = rewindPositions.sort((a, b) => cluster.store.comparePositions(a, b))[0] as string;
      expect(handled.map(({ position }) => position)).toContain(earliest);

      cluster.checkpoints.position = earliest;
      await cluster.relay({ categories: [CATEGORY] }).caughtUp;
      await eventually(() => expectWhole(seen, quiet, 1), REPLACED_MS);
      await eventually(async () => {
        const waiting = (await cluster.parkedEvents.list('g')).filter(({ event }) => event.revision > 0);
        expect(waiting).toHaveLength(2 * streams.length);
      });
      for (const one of streams) await second.release('g', one);
      expectWhole(seen, streams, 3);
    },
    PATIENT_MS,
  );

  test(
    'a running consumer handles the first messages of a topic that was deleted and has become as long as before',
    async () => {
      const { seen, note } = recorder();
      await consuming(async (event) => note(event), { log: cluster.store });
      const one = stream();
      let relayed = 0;
      cluster.relay({ observer: { relayed: ({ events }) => void (relayed += events) } });
      for (let at = 1; at <= 3; at += 1) {
        await cluster.publish(one, anEvent());
        await eventually(() => expectWhole(seen, [one], at), REPLACED_MS);
      }
      await cluster.administer((admin) => admin.deleteTopics({ topics: [`${cluster.namespace}${SERVICE}.events`] }));
      for (let at = 0; at < 3; at += 1) await cluster.publish(one, anEvent());
      await eventually(() => expect(relayed).toBe(6), REPLACED_MS);
      await eventually(() => expectWhole(seen, [one], 6), REPLACED_MS);
      expect(await cluster.parkedEvents.list()).toEqual([]);
    },
    PATIENT_MS,
  );
});
