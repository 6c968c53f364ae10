import type { Recorded } from '@ponte/event-sourcing';
import { anEvent, describeOnRealEngine, eventsOf, eventually, freshId } from '@ponte/testing';
import { SERVICE } from '../cluster.testing';
import { toEnvelope } from '../envelope';
import {
  PATIENT_MS,
  REPLACED_MS,
  stream,
  say,
  cluster,
  brokerUnderTest,
  consuming,
  recorder,
  expectWhole,
} from '../broker-under-test.testing';

describeOnRealEngine('Kafka, the relay', () => {
  brokerUnderTest();

  describe('the relay', () => {
    test(
      'publishes again after dying before the publication or before its checkpoint, and consumers handle each event once',
      async () => {
        const { seen, note } = recorder();
        let duplicates = 0;
        await consuming(async (event) => note(event), {
          observer: {
            duplicate: () => {
              duplicates += 1;
            },
          },
        });
        const streams = Array.from({ length: 5 }, () => stream());
        const round = async (): Promise<void> => {
          for (const one of streams) await cluster.publish(one, anEvent());
        };
        await round();
        const first = cluster.relay();
        await eventually(() => expectWhole(seen, streams, 1));
        await first.stop();
        await round();
        // Simulates a crash before the checkpoint was saved: everything is published once more.
        cluster.checkpoints.position = undefined;
        cluster.relay();
        await eventually(() => expectWhole(seen, streams, 2));
        await eventually(() => expect(duplicates).toBe(5));
        expect([...seen.values()].flat()).toHaveLength(10);
        const events = await cluster.read(`${SERVICE}.events`);
        await eventually(() => expect(events).toHaveLength(15));
        expect(JSON.parse(events[0]?.value ?? '')).toMatchObject({
          specversion: '1.0',
          source: `/ponte/${SERVICE}`,
          subject: events[0]?.key,
          revision: 0,
        });
      },
      PATIENT_MS,
    );

    test(
      'creates its topic again when it was deleted, and goes on without a restart',
      async () => {
        const one = stream();
        let relayed = 0;
        cluster.relay({ observer: { relayed: ({ events }) => void (relayed += events) } });
        await cluster.publish(one, anEvent());
        await eventually(() => expect(relayed).toBe(1), REPLACED_MS);
        await cluster.administer((admin) => admin.deleteTopics({ topics: [`${cluster.namespace}${SERVICE}.events`] }));
        await cluster.publish(one, anEvent());
        await eventually(() => expect(relayed).toBe(2), REPLACED_MS);
        const events = await cluster.read(`${SERVICE}.events`);
        await eventually(() =>
          expect(events.map(({ value }) => (JSON.parse(value) as Recorded).revision)).toEqual([1]),
        );
      },
      PATIENT_MS,
    );

    test(
      'publishes a slice of one stream that is larger than the brokers accept in one batch',
      async () => {
        const one = stream();
        const long = 'x'.repeat(3_000);
        await cluster.publish(one, eventsOf(freshId(), ...Array.from({ length: 500 }, () => ({ say: long }))));
        await cluster.relay().caughtUp;
        const events = await cluster.read(`${SERVICE}.events`);
        await eventually(() =>
          expect(events.map(({ value }) => (JSON.parse(value) as Recorded).revision)).toEqual([...Array(500).keys()]),
        );
      },
      PATIENT_MS,
    );

    test(
      'publishes notices of some events on a separate topic with separate keys, in the same order and at least once',
      async () => {
        const one = stream();
        await cluster.publish(one, eventsOf(freshId(), { say: 'for all' }, { say: 'for us' }, { say: 'for all too' }));
        const notices = {
          topic: 'some.notices',
          of: (event: Recorded) =>
            say(event).startsWith('for all') ? { key: 'the-key', event: { id: event.id, said: say(event) } } : null,
        };
        await cluster.relay({ notices }).caughtUp;
        const reported = await cluster.read('some.notices');
        await eventually(() =>
          expect(reported.map(({ key, value }) => [key, (JSON.parse(value) as { said: string }).said])).toEqual([
            ['the-key', 'for all'],
            ['the-key', 'for all too'],
          ]),
        );
        const events = await cluster.read(`${SERVICE}.events`);
        await eventually(() => expect(events).toHaveLength(3));
      },
      PATIENT_MS,
    );

    test(
      'parks a stream with missing events; once these are published, they are handled in order',
      async () => {
        const handled: number[] = [];
        const bus = await consuming(async ({ revision }) => void handled.push(revision));
        const one = stream();
        await cluster.publish(one, eventsOf(freshId(), {}, {}, {}, {}));
        const events = await cluster.store.read(one);
        const producer = cluster.client.producer();
        await producer.connect();
        const send = (...revisions: number[]) =>
          producer.send({
            topic: `${cluster.namespace}${SERVICE}.events`,
            messages: revisions.map((revision) => ({
              key: one,
              value: toEnvelope(SERVICE, events[revision] as Recorded),
            })),
          });
        await send(0, 2);
        await eventually(async () =>
          expect((await bus.list('g')).map(({ reason }) => reason)).toEqual([
            'earlier events of its stream are missing',
          ]),
        );
        await send(0, 1, 2, 3);
        await eventually(async () =>
          expect((await bus.list('g')).map(({ event }) => event.revision)).toEqual([1, 2, 3]),
        );
        await bus.release('g', one);
        expect(handled).toEqual([0, 1, 2, 3]);
        await producer.disconnect();
      },
      PATIENT_MS,
    );

    test(
      'parks streams with events that went missing during a rebalance',
      async () => {
        const assigned: (readonly number[])[] = [];
        const handled = new Set<string>();
        const handle = async ({ stream: of, revision }: Recorded): Promise<void> =>
          void handled.add(`${of} ${revision}`);
        const observer = {
          assigned: (group: string, of: Readonly<Record<string, readonly number[]>>): void => {
            if (group.endsWith(`.${SERVICE}`)) assigned.push(Object.values(of).flat());
          },
        };
        const bus = await consuming(handle, { observer });
        const streams = Array.from({ length: 20 }, () => stream());
        for (const one of streams) await cluster.publish(one, eventsOf(freshId(), {}, {}, {}));
        const producer = cluster.client.producer();
        await producer.connect();
        const send = async (revision: number): Promise<void> => {
          const events = await Promise.all(streams.map((one) => cluster.store.read(one)));
          await producer.send({
            topic: `${cluster.namespace}${SERVICE}.events`,
            messages: events.map((all) => {
              const event = all[revision] as Recorded;
              return { key: event.stream, value: toEnvelope(SERVICE, event) };
            }),
          });
        };
        await send(0);
        await eventually(() => expect(handled.size).toBe(20));
        await (await consuming(handle)).stop();
        await eventually(() => expect(assigned.slice(-2).map(({ length }) => length)).toEqual([2, 4]), REPLACED_MS);
        await send(2);
        await eventually(async () => expect(await bus.list('g')).toHaveLength(20));
        expect(new Set((await bus.list('g')).map(({ reason }) => reason))).toEqual(
          new Set(['earlier events of its stream are missing']),
        );
        expect(handled.size).toBe(20);
        await producer.disconnect();
      },
      PATIENT_MS,
    );
  });
});
