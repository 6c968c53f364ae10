import type { EventStore, LogFilter, LogSlice, Recorded } from '@ponte/event-sourcing';
import { EventStoreUnavailable, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { anEvent, eventsOf, freshId } from '../recorded';

export interface StoreUnderTest {
  readonly store: EventStore;
  /** Closes the store and opens what it kept again. */
  reopen(): Promise<EventStore>;
  /** Ends whatever is open and removes it. */
  cleanUp(): Promise<void>;
}

/** Category and stream names that nothing else uses, so that the suite may run against a server that others use too. */
const names = () => {
  const category = `kind${freshId()}`;
  return { category, stream: `${category}-${freshId()}` };
};
const ids = (events: readonly { id: string }[]) => events.map((event) => event.id);

/** Reads until `enough` is content with what has come, then closes. */
async function collect(
  store: EventStore,
  filter: LogFilter,
  enough: (events: readonly Recorded[], slice: LogSlice) => boolean,
): Promise<Recorded[]> {
  const events: Recorded[] = [];
  for await (const slice of store.subscribe(filter)) {
    events.push(...slice.events);
    if (enough(events, slice)) break;
  }
  return events;
}

/** Every rule of the `EventStore` port. */
export function describeEventStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} as an EventStore`, () => {
    let under: StoreUnderTest;
    let store: EventStore;
    beforeEach(async () => {
      under = await open();
      store = under.store;
    });
    afterEach(() => under.cleanUp());

    describeAppends(() => store);
    describeRaces(() => store);
    describeSubscriptions(() => store);

    test('shows the newest events of some categories, the last first, from the end or a position', async () => {
      const [one, other] = [names(), names()];
      const appended = eventsOf(freshId(), { at: 0 }, { at: 1 }, { at: 2 });
      await store.append(one.stream, NO_STREAM, appended);
      await store.append(other.stream, NO_STREAM, anEvent({ at: 3 }));
      await store.append(`${one.category}-second`, NO_STREAM, anEvent({ at: 4 }));
      const at = (events: readonly Recorded[]) => events.map(({ data }) => (data as { at: number }).at);
      const newest = (limit: number, before?: string, categories = [one.category]) =>
        store.newest({ categories, limit, ...(before === undefined ? {} : { before }) });
      const all = await newest(10);
      expect(at(all)).toEqual([4, 2, 1, 0]);
      expect(all[1]).toEqual((await store.read(one.stream))[2]);
      expect(at(await newest(2))).toEqual([4, 2]);
      expect(at(await newest(10, all[1]?.position))).toEqual([1, 0]);
      expect(at(await newest(2, undefined, [one.category, other.category]))).toEqual([4, 3]);
      expect([await newest(0), await newest(10, undefined, ['nothing'])]).toEqual([[], []]);
    });

    test('what was acknowledged is there after the store was closed and opened', async () => {
      const { category, stream } = names();
      const first = eventsOf(freshId(), { at: 1, text: 'ação ✓' }, { at: 2 });
      await store.append(stream, NO_STREAM, first);
      const before = await store.read(stream);
      const again = await under.reopen();
      expect(await again.read(stream)).toEqual(before);
      await expect(again.append(stream, NO_STREAM, anEvent())).rejects.toThrow(WrongExpectedRevision);
      expect(await again.append(stream, NO_STREAM, first)).toMatchObject({ revision: 1 });
      await again.append(stream, 1, anEvent({ at: 3 }));
      const all = await collect(again, { categories: [category] }, (events) => events.length === 3);
      expect(all.map((event) => event.data)).toEqual([{ at: 1, text: 'ação ✓' }, { at: 2 }, { at: 3 }]);
      await again.close();
    });

    test('close ends subscriptions; afterwards everything is refused as unavailable', async () => {
      const { category, stream } = names();
      const reading = collect(store, { categories: [category] }, () => false);
      await store.append(stream, NO_STREAM, anEvent());
      await store.close();
      expect((await reading).length).toBeLessThanOrEqual(1);
      await expect(store.append(stream, 0, anEvent())).rejects.toThrow(EventStoreUnavailable);
      await expect(store.read(stream)).rejects.toThrow(EventStoreUnavailable);
      await expect(store.head()).rejects.toThrow(EventStoreUnavailable);
      await store.close();
    });

    test('an append that was accepted before close is answered by what the log says', async () => {
      const { stream } = names();
      const appends = Array.from({ length: 20 }, (_, at) => store.append(`${stream}${at}`, NO_STREAM, anEvent()));
      const settled = Promise.allSettled(appends);
      const again = await under.reopen();
      for (const [at, outcome] of (await settled).entries()) {
        expect((await again.read(`${stream}${at}`)).length === 1).toBe(outcome.status === 'fulfilled');
      }
      await again.close();
    });
  });
}

function describeAppends(current: () => EventStore): void {
  describe('append and read', () => {
    test('events come back as they were given, with their place', async () => {
      const { stream } = names();
      const events = eventsOf(
        freshId(),
        { amount: '1.00', list: [1, null, { deep: true }] },
        { note: '"quoted" \u{1F600}' },
      );
      const appended = await current().append(stream, NO_STREAM, events);
      const read = await current().read(stream);
      expect(read).toEqual(
        events.map((event, revision) => ({ ...event, stream, revision, position: read[revision]?.position })),
      );
      expect(appended).toEqual({ revision: 1, position: read[1]?.position });
      expect(current().comparePositions(read[0]?.position ?? '', read[1]?.position ?? '')).toBeLessThan(0);
      expect(current().comparePositions(appended.position, appended.position)).toBe(0);
    });

    test('a stream that does not exist is empty; from and limit cut a part out', async () => {
      const { stream } = names();
      expect(await current().read(stream)).toEqual([]);
      const events = eventsOf(freshId(), ...Array.from({ length: 10 }, (_, at) => ({ at })));
      await current().append(stream, NO_STREAM, events);
      expect(ids(await current().read(stream, { from: 7 }))).toEqual(ids(events.slice(7)));
      expect(ids(await current().read(stream, { from: 2, limit: 3 }))).toEqual(ids(events.slice(2, 5)));
      expect(ids(await current().read(stream, { limit: 4 }))).toEqual(ids(events.slice(0, 4)));
      expect(await current().read(stream, { from: 10 })).toEqual([]);
      // A partial read must not be taken for the whole stream.
      await expect(current().append(stream, 3, anEvent())).rejects.toThrow(WrongExpectedRevision);
      await expect(current().append(stream, 9, anEvent())).resolves.toMatchObject({ revision: 10 });
    });

    test('an append names the revision it expects, and fails alone when the stream stands elsewhere', async () => {
      const { stream } = names();
      await expect(current().append(stream, 0, anEvent())).rejects.toMatchObject({
        name: 'WrongExpectedRevision',
        expected: 0,
        actual: -1,
      });
      await current().append(stream, NO_STREAM, anEvent());
      const [wrong, right] = await Promise.allSettled([
        current().append(stream, 5, anEvent()),
        current().append(`${stream}b`, NO_STREAM, anEvent()),
      ]);
      expect(wrong).toMatchObject({
        status: 'rejected',
        reason: { name: 'WrongExpectedRevision', expected: 5, actual: 0 },
      });
      expect(right.status).toBe('fulfilled');
      expect(await current().read(stream)).toHaveLength(1);
    });

    test('an append without events, or with data that JSON cannot say, is refused and keeps nothing', async () => {
      const { stream } = names();
      await expect(current().append(stream, NO_STREAM, [])).rejects.toThrow(TypeError);
      await expect(
        current().append(stream, NO_STREAM, eventsOf(freshId(), { fine: 1 }, { amount: 1n })),
      ).rejects.toThrow(TypeError);
      expect(await current().read(stream)).toEqual([]);
      await expect(current().append(stream, NO_STREAM, anEvent())).resolves.toMatchObject({ revision: 0 });
    });

    test('the caller may do what it likes with its objects once it was answered', async () => {
      const { stream } = names();
      const data = { amount: '1.00' };
      const appending = current().append(stream, NO_STREAM, eventsOf(freshId(), data));
      await appending;
      data.amount = '9.99';
      const read = await current().read(stream);
      expect(read[0]?.data).toEqual({ amount: '1.00' });
      (read[0]?.data as { amount: string }).amount = '7.77';
      expect((await current().read(stream))[0]?.data).toEqual({ amount: '1.00' });
    });

    test('idempotent: the same ids at the same expected revision are answered as the first time', async () => {
      const { stream } = names();
      const [first, second] = [eventsOf(freshId(), { at: 0 }, { at: 1 }), eventsOf(freshId(), { at: 2 })];
      const answer = await current().append(stream, NO_STREAM, first);
      expect(await current().append(stream, NO_STREAM, first)).toEqual(answer);
      await current().append(stream, 1, second);
      expect(await current().append(stream, NO_STREAM, first)).toEqual(answer);
      expect(await current().read(stream)).toHaveLength(3);
    });

    test.each([
      ['other ids', () => eventsOf('other', { at: 0 }, { at: 1 }), NO_STREAM],
      [
        'the same ids and one more',
        (first: string) => eventsOf(first, { at: 0 }, { at: 1 }, { at: 2 }, { at: 3 }),
        NO_STREAM,
      ],
      [
        'the same ids in another order',
        (first: string) => [...eventsOf(first, { at: 0 }, { at: 1 })].reverse(),
        NO_STREAM,
      ],
      ['the same ids at another revision', (first: string) => eventsOf(first, { at: 0 }, { at: 1 }), 0],
      ['the same ids beyond the end', (first: string) => eventsOf(first, { at: 0 }, { at: 1 }), 7],
    ])('not idempotent: %s are a conflict', async (_, make, expected) => {
      const { stream } = names();
      const command = freshId();
      await current().append(stream, NO_STREAM, eventsOf(command, { at: 0 }, { at: 1 }));
      await current().append(stream, 1, anEvent());
      await expect(current().append(stream, expected, make(command))).rejects.toThrow(WrongExpectedRevision);
      expect(await current().read(stream)).toHaveLength(3);
    });

    test('head is the end of the log', async () => {
      const { stream } = names();
      const { position } = await current().append(stream, NO_STREAM, anEvent());
      const head = await current().head();
      expect(current().comparePositions(head ?? '', position)).toBeGreaterThanOrEqual(0);
    });
  });
}

function describeRaces(current: () => EventStore): void {
  describe('at the same time', () => {
    test('64 appends to one stream at one expected revision: one wins', async () => {
      const { stream } = names();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 64 }, () => current().append(stream, NO_STREAM, anEvent())),
      );
      expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
      const losers = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
      expect(losers.every((error) => error instanceof WrongExpectedRevision)).toBe(true);
      expect(await current().read(stream)).toHaveLength(1);
    });

    test('the same append repeated while the first is under way: both are answered alike, one is kept', async () => {
      const { stream } = names();
      const events = eventsOf(freshId(), { at: 0 }, { at: 1 });
      const answers = await Promise.all(Array.from({ length: 8 }, () => current().append(stream, NO_STREAM, events)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(ids(await current().read(stream))).toEqual(ids(events));
    });

    test('all or nothing: of overlapping appends the log has whole ones only', async () => {
      const { category } = names();
      const appends = Array.from({ length: 60 }, (_, at) => {
        const events = eventsOf(freshId(), ...Array.from({ length: 1 + (at % 5) }, (_unused, part) => ({ part })));
        return current().append(`${category}-${at % 6}`, Math.floor(at / 6) - 1, events);
      });
      const kept = (await Promise.allSettled(appends)).filter((one) => one.status === 'fulfilled').length;
      const streams = await Promise.all(Array.from({ length: 6 }, (_, at) => current().read(`${category}-${at}`)));
      const commands = new Map<string, number>();
      for (const event of streams.flat())
        commands.set(event.meta.commandId, (commands.get(event.meta.commandId) ?? 0) + 1);
      expect(commands.size).toBe(kept);
      for (const event of streams.flat()) expect(commands.get(event.meta.commandId)).toBe(event.meta.count);
      for (const stream of streams)
        expect(stream.map((event) => event.revision)).toEqual(stream.map((_, revision) => revision));
    });

    test('a store with one writer keeps the order of the calls, each on the revision of the one before', async () => {
      if (!current().soleWriter) return;
      const { stream } = names();
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, at) => current().append(stream, at - 1, anEvent({ at }))),
      );
      expect(answers.map((answer) => answer.revision)).toEqual(answers.map((_, at) => at));
      expect((await current().read(stream)).map((event) => event.data)).toEqual(answers.map((_, at) => ({ at })));
    });
  });
}

function describeSubscriptions(current: () => EventStore): void {
  describe('subscribe', () => {
    test('catches up and stays live under load, in order, with no gap and no repetition', async () => {
      const { category } = names();
      const before = 700;
      const during = 1_500;
      for (let at = 0; at < before; at += 1)
        void current().append(`${category}-${at % 7}`, Math.floor(at / 7) - 1, anEvent({ at }));
      const write = async (): Promise<void> => {
        for (let at = before; at < before + during; at += 1) {
          const append = current().append(`${category}-${at % 7}`, Math.floor(at / 7) - 1, anEvent({ at }));
          if (at % 50 === 0) await append;
          else append.catch(() => undefined);
        }
      };
      const [events] = await Promise.all([
        collect(current(), { categories: [category], batchSize: 64 }, (seen) => seen.length >= before + during),
        write(),
      ]);
      expect(new Set(ids(events)).size).toBe(before + during);
      const revisions = new Map<string, number>();
      for (const event of events) {
        expect(event.revision).toBe((revisions.get(event.stream) ?? -1) + 1);
        revisions.set(event.stream, event.revision);
      }
      const positions = events.map((event) => event.position);
      expect(
        positions.every(
          (position, at) => at === 0 || current().comparePositions(positions[at - 1] as string, position) < 0,
        ),
      ).toBe(true);
    });

    test('resumes after a checkpoint; the checkpoint moves on when the filter leaves nothing', async () => {
      const { category, stream } = names();
      const other = names();
      const start = await current().head();
      await current().append(stream, NO_STREAM, eventsOf(freshId(), { at: 0 }, { at: 1 }));
      await current().append(other.stream, NO_STREAM, anEvent());
      const head = (await current().head()) as string;
      let checkpoint = '';
      await collect(current(), { categories: [category], after: start }, (_, slice) => {
        checkpoint = slice.position;
        return slice.caughtUp;
      });
      expect(current().comparePositions(checkpoint, head)).toBeGreaterThanOrEqual(0);
      await current().append(stream, 1, anEvent({ at: 2 }));
      const rest = await collect(
        current(),
        { categories: [category], after: checkpoint },
        (events) => events.length > 0,
      );
      expect(rest.map((event) => event.data)).toEqual([{ at: 2 }]);
      const [, second] = await current().read(stream);
      const fromEvent = await collect(
        current(),
        { categories: [category], after: second?.position },
        (events) => events.length > 0,
      );
      expect(fromEvent.map((event) => event.revision)).toEqual([2]);
    });

    test('a category is the name up to the first dash; several are delivered in log order, others never', async () => {
      const { category } = names();
      const streams = [`${category}-a-b`, `${category}x-1`, `${category}y-1`, `${category}-c`];
      for (const stream of streams) await current().append(stream, NO_STREAM, anEvent());
      const seen = await collect(current(), { categories: [category, `${category}y`] }, (events) => events.length >= 3);
      expect(seen.map((event) => event.stream)).toEqual([streams[0], streams[2], streams[3]]);
    });

    test('slices are no larger than asked for, and the next is taken only when the consumer comes for it', async () => {
      const { category, stream } = names();
      await current().append(
        stream,
        NO_STREAM,
        eventsOf(freshId(), ...Array.from({ length: 25 }, (_, at) => ({ at }))),
      );
      const subscription = current().subscribe({ categories: [category], batchSize: 10 });
      const sizes: number[] = [];
      let seen = 0;
      for await (const slice of subscription) {
        sizes.push(slice.events.length);
        seen += slice.events.length;
        if (seen === 25) {
          // What is appended while the consumer is busy waits, and comes in one slice.
          for (let at = 0; at < 5; at += 1) await current().append(stream, 24 + at, anEvent());
        }
        if (seen === 30) break;
      }
      expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
      expect(sizes.filter((size) => size > 0).at(-1)).toBe(5);
    });

    test('close ends a subscription that waits, and one that is being read', async () => {
      const { category, stream } = names();
      const waiting = current().subscribe({ categories: [category], after: await current().head() });
      const ended = (async () => {
        for await (const slice of waiting) void slice;
        return 'ended';
      })();
      await waiting.close();
      await waiting.close();
      expect(await ended).toBe('ended');
      await current().append(stream, NO_STREAM, eventsOf(freshId(), { at: 0 }, { at: 1 }, { at: 2 }));
      const reading = current().subscribe({ categories: [category], batchSize: 1 });
      let taken = 0;
      for await (const slice of reading) {
        taken += slice.events.length;
        if (taken === 1) await reading.close();
      }
      expect(taken).toBe(1);
    });

    test('many subscriptions each see everything', async () => {
      const { category } = names();
      const readers = Array.from({ length: 10 }, () =>
        collect(current(), { categories: [category] }, (events) => events.length >= 100),
      );
      await Promise.all(
        Array.from({ length: 100 }, (_, at) => current().append(`${category}-${at}`, NO_STREAM, anEvent())),
      );
      const [first, ...others] = await Promise.all(readers);
      expect(first).toHaveLength(100);
      for (const other of others) expect(ids(other)).toEqual(ids(first ?? []));
    });
  });
}
