import type { Recorded } from '@ponte/event-sourcing';
import { describeOnRealEngine, eventsOf, eventually, freshId } from '@ponte/testing';
import {
  brokerUnderTest,
  cluster,
  consuming,
  PATIENT_MS,
  REPLACED_MS,
  send,
  stream,
} from '../broker-under-test.testing';

const REASON = 'earlier events of its stream are missing, from revision 2';

describeOnRealEngine('Kafka, when events between two others of a stream are lost', () => {
  brokerUnderTest();

  let one: string;
  let events: readonly Recorded[];
  let done: number[];
  const consume = async ({ revision }: Recorded): Promise<void> => void done.push(revision);
  const parked = async () =>
    (await cluster.parkedEvents.list('g')).map(({ event, reason }) => [event.revision, reason]);
  const at = (...revisions: number[]): Recorded[] => revisions.map((revision) => events[revision] as Recorded);
  /** A log that does not have the events from a revision on, as a node that lags. */
  const lagging = (end: number) => ({
    comparePositions: cluster.store.comparePositions.bind(cluster.store),
    read: async (...args: Parameters<typeof cluster.store.read>) =>
      (await cluster.store.read(...args)).filter(({ revision }) => revision < end),
  });

  beforeEach(async () => {
    one = stream();
    done = [];
    await cluster.publish(one, eventsOf(freshId(), {}, {}, {}, {}, {}, {}));
    events = await cluster.store.read(one);
  });

  test(
    'a running consumer reads them from the log and handles each once and in order',
    async () => {
      await consuming(consume, { log: cluster.store });
      await send(at(0, 1, 4));
      await eventually(() => expect(done).toEqual([0, 1, 2, 3, 4]), REPLACED_MS);
      await send(at(2, 3, 4, 5));
      await eventually(() => expect(done).toEqual([0, 1, 2, 3, 4, 5]), REPLACED_MS);
      expect(await parked()).toEqual([]);
    },
    PATIENT_MS,
  );

  test(
    'a consumer that died after it noticed them is followed by one that reads them from the log',
    async () => {
      const first = await consuming(consume, { log: lagging(3) });
      await send(at(0, 1, 4));
      await eventually(async () => expect(await parked()).toEqual([[4, REASON]]), REPLACED_MS);
      await send(at(5));
      await eventually(async () => expect(await parked()).toHaveLength(2), REPLACED_MS);
      expect(done).toEqual([0, 1]);
      await first.stop();
      await consuming(consume, { log: cluster.store, outageReleaseMs: 50 });
      await eventually(() => expect(done).toEqual([0, 1, 2, 3, 4, 5]), REPLACED_MS);
      await eventually(async () => expect(await parked()).toEqual([]));
    },
    PATIENT_MS,
  );

  test(
    'one of them that fails waits with the later ones, and those before it are not handled again',
    async () => {
      let isMended = false;
      const failing = async (event: Recorded): Promise<void> => {
        if (event.revision === 3 && !isMended) throw new TypeError('no');
        await consume(event);
      };
      await consuming(failing, { log: cluster.store, outageReleaseMs: 50 });
      await send(at(0, 1, 4));
      await eventually(() => expect(done).toEqual([0, 1, 2]), REPLACED_MS);
      const failed = (): number => cluster.logged.filter(({ message }) => message.includes('missing ones')).length;
      await eventually(() => expect(failed()).toBeGreaterThan(2), REPLACED_MS);
      expect(done).toEqual([0, 1, 2]);
      isMended = true;
      await eventually(() => expect(done).toEqual([0, 1, 2, 3, 4]), REPLACED_MS);
      await eventually(async () => expect(await parked()).toEqual([]));
    },
    PATIENT_MS,
  );

  test(
    'a stream whose events the log does not have stays parked until an operator releases it',
    async () => {
      const bus = await consuming(consume, { log: lagging(3), outageReleaseMs: 50 });
      await send(at(0, 1, 4));
      const told = (): boolean => cluster.logged.some(({ message }) => message.includes('the log does not have'));
      await eventually(() => expect(told()).toBe(true), REPLACED_MS);
      expect([done, await parked()]).toEqual([[0, 1], [[4, REASON]]]);
      await bus.release('g', one);
      expect(done).toEqual([0, 1, 4]);
    },
    PATIENT_MS,
  );
});
