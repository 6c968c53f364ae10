import type { Recorded } from '@ponte/event-sourcing';
import { PARKED_BEHIND, PARKED_NOT_IN_LOG, ReleaseRefused } from '@ponte/event-sourcing';
import { anEvent, describeOnRealEngine, eventsOf, eventually, freshId, MemoryEventStore } from '@ponte/testing';
import {
  brokerUnderTest,
  cluster,
  consuming,
  PATIENT_MS,
  REPLACED_MS,
  say,
  send,
  stream,
} from '../broker-under-test.testing';

describeOnRealEngine('Kafka, after the log was restored to an earlier state', () => {
  brokerUnderTest();

  test(
    'an event on the brokers that the log does not have is parked, and discarded; those of the log are handled',
    async () => {
      const handled: string[] = [];
      const consume = async (event: Recorded): Promise<void> => void handled.push(say(event));
      const [longer, other, unknown] = [stream(), stream(), stream()];
      const lost = new MemoryEventStore();
      for (const one of [longer, other, unknown])
        await lost.append(one, -1, eventsOf(freshId(), { say: 'first' }, { say: 'second' }));
      // The backup has the first event of one stream. Since the restore another event was written to the second one.
      const [kept] = (await lost.read(longer)) as [Recorded, Recorded];
      await cluster.store.append(longer, -1, [kept]);
      await cluster.publish(other, anEvent({ say: 'new' }));
      await (await consuming(consume, { log: cluster.store })).stop();
      await send((await Promise.all([longer, other, unknown].map((one) => lost.read(one)))).flat());
      await send([...(await cluster.store.read(longer)), ...(await cluster.store.read(other))]);
      const bus = await consuming(consume, { log: cluster.store });
      const waiting = async (key: string) =>
        (await cluster.parkedEvents.list('g', key)).map(({ event, reason }) => [say(event), reason]);
      await eventually(async () => {
        expect(await waiting(longer)).toEqual([['second', PARKED_NOT_IN_LOG]]);
        expect(await waiting(unknown)).toEqual(['first', 'second'].map((what) => [what, PARKED_NOT_IN_LOG]));
        expect((await waiting(other)).sort()).toEqual([
          ['first', PARKED_NOT_IN_LOG],
          ['new', PARKED_BEHIND],
          ['second', PARKED_NOT_IN_LOG],
        ]);
      }, REPLACED_MS);
      expect(handled).toEqual(['first']);
      await expect(bus.release('g', other)).rejects.toThrow(ReleaseRefused);
      // The new event comes before the second one that is discarded, and is handled by the release before.
      for (const one of [longer, other, unknown])
        for (const { id, revision } of await lost.read(one)) {
          await cluster.parkedEvents.removeUndone('g', id, revision, async () => false);
          await bus.release('g', one).catch((error: unknown) => expect(error).toBeInstanceOf(ReleaseRefused));
        }
      expect([handled.slice(1), await cluster.parkedEvents.list('g')]).toEqual([['new'], []]);
      await cluster.publish(unknown, anEvent({ say: 'begins again' }));
      await send(await cluster.store.read(unknown));
      await eventually(() => expect(handled.at(-1)).toBe('begins again'), REPLACED_MS);
      // A repeated request records one of them again, under the id that derives from it.
      await cluster.store.append(longer, 0, (await lost.read(longer)).slice(1));
      await send((await cluster.store.read(longer)).slice(1));
      await eventually(() => expect(handled.at(-1)).toBe('second'), REPLACED_MS);
    },
    PATIENT_MS,
  );

  test(
    'the loss of events is noticed although the group had read further than the restored log reaches',
    async () => {
      const handled: string[] = [];
      const consume = async (event: Recorded): Promise<void> => void handled.push(say(event));
      const [before, kept, lost] = [stream(), stream(), stream()];
      const undone = new MemoryEventStore();
      for (let at = 0; at < 20; at += 1)
        await undone.append(before, at - 1, eventsOf(freshId(), { say: `undone ${at}` }));
      // One partition, so that the streams share the position up to which the group has read.
      const topics = { partitions: 1 };
      const first = await consuming(consume, { log: undone, topics });
      await send(await undone.read(before));
      await eventually(() => expect(handled).toHaveLength(20), REPLACED_MS);
      await first.stop();

      await cluster.publish(kept, anEvent({ say: 'kept' }));
      await consuming(consume, { log: cluster.store, topics });
      const warning = 'the committed position of a group is beyond the end of the log';
      await eventually(
        () => expect(cluster.logged.map(({ message }) => message).join()).toContain(warning),
        REPLACED_MS,
      );
      for (const what of ['lost', 'next']) await cluster.publish(lost, anEvent({ say: what }));
      await send([...(await cluster.store.read(kept)), ...(await cluster.store.read(lost)).slice(1)]);
      const waiting = async () =>
        (await cluster.parkedEvents.list('g')).map((one) => [say(one.event), one.missingFrom]);
      await eventually(async () => expect(await waiting()).toEqual([['next', 0]]), REPLACED_MS);
      await eventually(() => expect(handled.slice(20)).toEqual(['kept']), REPLACED_MS);
    },
    PATIENT_MS,
  );
});
