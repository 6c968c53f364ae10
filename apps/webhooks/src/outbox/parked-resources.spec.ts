import type { WebhookEventsReleased } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { eventsOf, freshId, MemoryEventStore, MemoryParkedEvents } from '@ponte/testing';
import type { Logger } from 'pino';
import { ParkedResources } from './parked-resources.service';
import { OUTBOX_READER } from './reader-progress.service';

const STREAM = 'order-1';
const REASON = 'TypeError: it cannot be published';

/** The log has three events of a stream. The second one is parked as it was before a restore, at another revision. */
async function setUp(revision: number) {
  const [store, parked] = [new MemoryEventStore(), new MemoryParkedEvents()];
  await store.append(STREAM, NO_STREAM, eventsOf(freshId(), {}, {}, {}));
  const [first, again, next] = (await store.read(STREAM)) as [Recorded, Recorded, Recorded];
  await parked.add({
    ...{ group: OUTBOX_READER, key: STREAM, event: { ...again, revision }, reason: REASON },
    parkedAt: '2026-01-01T00:00:00.000Z',
  });
  const logger = { warn: () => undefined, error: () => undefined } as unknown as Logger;
  const resources = new ParkedResources(parked, store, { now: () => 0 }, logger);
  resources.readerBegins();
  const waiting = async () => (await resources.rows(STREAM)).map(({ event, reason }) => [event.revision, reason]);
  const release = async () => {
    const published: number[] = [];
    const request = { ...first, id: 'release', position: '9', data: { stream: STREAM } };
    const released = await resources.release(
      request as Recorded as Recorded<WebhookEventsReleased>,
      async (event) => void published.push(event.revision),
    );
    await resources.settle(released);
    return { published, failure: released.failure };
  };
  return { resources, parked, first, again, next, waiting, release };
}

describe('a parked event that was recorded again after a restore', () => {
  it.each([7, 0])(
    'is parked as the log has it when the reader reads it; before, it had revision %i',
    async (former) => {
      const { resources, again, next, waiting, release } = await setUp(former);
      for (const event of [again, next]) expect(await resources.holds(event)).toBe(true);
      expect(await waiting()).toEqual([
        [1, REASON],
        [2, expect.stringContaining('waits behind')],
      ]);
      expect(await release()).toEqual({ published: [1, 2], failure: undefined });
      expect(await waiting()).toEqual([]);
    },
  );

  it('stays parked if the reader reads it while an operator removes the one that the log did not have', async () => {
    const { resources, parked, again, waiting } = await setUp(1);
    await parked.removeUndone(OUTBOX_READER, again.id, 1, async () => !(await resources.holds(again)));
    expect(await waiting()).toEqual([[1, REASON]]);
  });

  it('is not released before that, and the operator is not told to discard it', async () => {
    const { again, waiting, release } = await setUp(7);
    const failure = expect.stringContaining(`the log has the event ${again.id} at revision 1, not 7; rewind`);
    expect(await release()).toEqual({ published: [], failure });
    expect((await waiting()).map(([revision]) => revision)).toEqual([7]);
  });

  it('does not hold back an earlier event', async () => {
    const { resources, first } = await setUp(7);
    expect(await resources.holds(first)).toBe(false);
  });
});
