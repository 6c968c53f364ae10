import type { EnvelopePublished } from '@ponte/contracts';
import { outboxEntries } from '@ponte/contracts';
import type { EventToAppend, Recorded } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, MemoryEventStore } from '@ponte/testing';
import type { Publication } from '../publication/publication.domain';
import { OutboxLog } from './outbox-log';

/** Publications for one account, whose sources are events in the log. */
async function publications(store: MemoryEventStore, count: number, audience = 'a'): Promise<Publication[]> {
  const made: Publication[] = [];
  for (let at = 0; at < count; at += 1) {
    const stream = `order-${audience}${at}`;
    await store.append(stream, NO_STREAM, anEvent());
    const [source] = (await store.read(stream)) as [Recorded];
    made.push({
      audience,
      earlier: [],
      source,
      envelope: {
        eventId: `${audience}-event-${at}`,
        eventType: 'order-created',
        accountId: audience,
        resourceType: 'order',
        resourceId: stream,
        sequence: 1,
        previousState: null,
        occurredAt: '2026-03-02T12:00:00.000Z',
        apiVersion: 'v1',
        payload: {},
      },
    });
  }
  return made;
}

const entries = async (store: MemoryEventStore, audience = 'a') =>
  (await store.read(`outbox-${audience}`))
    .flatMap(({ data }) => outboxEntries(data as EnvelopePublished['data']))
    .map(({ envelope }) => envelope.eventId);
const idsOf = (made: readonly Publication[]) => made.map(({ envelope }) => envelope.eventId);

describe('the outbox', () => {
  it('contains each publication once, in the order of the source log, however often it is repeated', async () => {
    const store = new MemoryEventStore();
    const made = await publications(store, 6);
    const outbox = new OutboxLog(store);
    await outbox.publish(made.slice(0, 4));
    await outbox.publish(made.slice(2, 4));
    await outbox.publish(made.slice(1));
    expect(await entries(store)).toEqual(idsOf(made));
    expect((await store.read('outbox-a')).map(({ data }) => (data as EnvelopePublished['data']).first)).toEqual([1, 5]);
  });

  it('contains each publication once when a retried slice repeats them within one round', async () => {
    const store = new MemoryEventStore();
    const made = await publications(store, 4);
    const outbox = new OutboxLog(store);
    await outbox.publish(made.slice(0, 1));
    await outbox.publish([...made.slice(1, 3), ...made.slice(0, 3), ...made.slice(1)]);
    expect(await entries(store)).toEqual(idsOf(made));
  });

  it('contains every event type that one event of the log is published as, each once', async () => {
    const store = new MemoryEventStore();
    const [first, last] = (await publications(store, 2)) as [Publication, Publication];
    const second: Publication = {
      ...first,
      envelope: { ...first.envelope, eventId: 'second-kind', eventType: 'order-processing', sequence: 2 },
    };
    const outbox = new OutboxLog(store);
    await outbox.publish([first, second, first, second]);
    await outbox.publish([first, second, last]);
    expect(await entries(store)).toEqual(idsOf([first, second, last]));
  });

  it('is separate for each account', async () => {
    const store = new MemoryEventStore();
    const [a, b] = [await publications(store, 3, 'a'), await publications(store, 2, 'b')];
    await new OutboxLog(store).publish([...a, ...b]);
    expect(await entries(store, 'a')).toEqual(idsOf(a));
    expect(await entries(store, 'b')).toEqual(idsOf(b));
  });

  it('is continued at its end after a restart, whatever its length', async () => {
    for (let length = 0; length <= 40; length += 1) {
      const store = new MemoryEventStore();
      const made = await publications(store, length + 1);
      await new OutboxLog(store).publish(made.slice(0, length));
      await new OutboxLog(store).publish(made);
      expect(await entries(store)).toEqual(idsOf(made));
    }
  });

  it('continues the numbers after old entries that were events of their own', async () => {
    const store = new MemoryEventStore();
    const made = await publications(store, 5);
    for (const [at, { envelope, source }] of made.slice(0, 2).entries()) {
      await store.append('outbox-a', at - 1, [
        {
          ...(anEvent()[0] as EventToAppend),
          type: 'EnvelopePublished',
          version: 1,
          data: { envelope, sourcePosition: source.position },
        },
      ]);
    }
    await new OutboxLog(store).publish(made);
    expect(await entries(store)).toEqual(idsOf(made));
    expect(
      (await store.read('outbox-a')).map(({ version, data }) => [version, (data as EnvelopePublished['data']).first]),
    ).toEqual([
      [1, undefined],
      [1, undefined],
      [2, 3],
    ]);
  });

  it('has at most 32 entries per event, all of one trace, each with the correlation id of its source', async () => {
    const store = new MemoryEventStore();
    const made = (await publications(store, 70)).map((one, at): Publication => ({
      ...one,
      source: {
        ...one.source,
        meta: { ...one.source.meta, correlationId: `request-${at}`, ...(at < 40 ? {} : { traceparent: 'one' }) },
      },
    }));
    await new OutboxLog(store).publish(made);
    const events = (await store.read('outbox-a')).map(({ data, meta }) => ({
      ...(data as EnvelopePublished['data']),
      traceparent: meta.traceparent,
    }));
    expect(events.map(({ first, entries: held, traceparent }) => [first, held.length, traceparent])).toEqual([
      [1, 32, undefined],
      [33, 8, undefined],
      [41, 30, 'one'],
    ]);
    expect(events.flatMap(({ entries: held }) => held.map(({ correlationId }) => correlationId))).toEqual(
      made.map((_, at) => `request-${at}`),
    );
  });

  it('is written with several appends when one would be larger than the event store accepts', async () => {
    const store = new MemoryEventStore();
    const payload = { text: 'x'.repeat(2_000) };
    const made = (await publications(store, 1_000)).flatMap((one) =>
      ['', '-again'].map((end) => ({
        ...one,
        envelope: { ...one.envelope, eventId: `${one.envelope.eventId}${end}`, payload },
      })),
    );
    const bytes: number[] = [];
    const append: MemoryEventStore['append'] = async (stream, expected, events) => {
      bytes.push(Buffer.byteLength(events.map((event) => JSON.stringify(event)).join('')));
      return store.append(stream, expected, events);
    };
    await new OutboxLog(Object.assign(Object.create(store) as MemoryEventStore, { append })).publish(made);
    expect(await entries(store)).toEqual(idsOf(made));
    expect([Math.max(...bytes) <= 1_048_576, bytes.length < 10]).toEqual([true, true]);
  });

  it('distinguishes a longer append from a shorter one that begins with the same entry', async () => {
    const store = new MemoryEventStore({ soleWriter: false });
    const made = await publications(store, 3);
    const [old, next] = [new OutboxLog(store), new OutboxLog(store)];
    await Promise.all([old.publish(made.slice(0, 2)), next.publish(made)]);
    expect(await entries(store)).toEqual(idsOf(made));
  });

  it('does not contain an append twice when its reply was lost', async () => {
    const store = new MemoryEventStore();
    const made = await publications(store, 3);
    store.faults.next({ kind: 'lose-reply' });
    await new OutboxLog(store).publish(made);
    expect(await entries(store)).toEqual(idsOf(made));
  });

  it('rejects when an append is refused, and accepts the next try', async () => {
    const store = new MemoryEventStore();
    const made = await publications(store, 3);
    const outbox = new OutboxLog(store);
    store.faults.next({ kind: 'refuse' });
    await expect(outbox.publish(made)).rejects.toThrow();
    expect(await entries(store)).toEqual([]);
    await outbox.publish(made);
    expect(await entries(store)).toEqual(idsOf(made));
  });

  it('contains every entry once when two projectors write, one of which has lost its lease', async () => {
    const store = new MemoryEventStore({ soleWriter: false });
    const made = await publications(store, 30);
    const [old, next] = [new OutboxLog(store), new OutboxLog(store)];
    for (let at = 0; at < 30; at += 3)
      await Promise.all([old.publish(made.slice(at, at + 3)), next.publish(made.slice(at, at + 3))]);
    expect(await entries(store)).toEqual(idsOf(made));
  });
});
