import type { EventStore } from '@ponte/event-sourcing';
import { NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { anEvent, eventsOf, freshId } from '../recorded';
import { names, ids } from './store-under-test.testing';

export function describeRaces(current: () => EventStore): void {
  describe('concurrent appends', () => {
    test('of 64 appends to one stream with the same expected revision, one succeeds', async () => {
      const { stream } = names();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 64 }, () => current().append(stream, NO_STREAM, anEvent())),
      );
      expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
      const losers = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
      expect(losers.every((error) => error instanceof WrongExpectedRevision)).toBe(true);
      expect(await current().read(stream)).toHaveLength(1);
    });

    test('an append repeated while the first one is running returns the same result and is kept once', async () => {
      const { stream } = names();
      const events = eventsOf(freshId(), { at: 0 }, { at: 1 });
      const answers = await Promise.all(Array.from({ length: 8 }, () => current().append(stream, NO_STREAM, events)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(ids(await current().read(stream))).toEqual(ids(events));
    });

    test('overlapping appends are kept as a whole or not at all', async () => {
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

    test('a store with one writer executes appends in the order of the calls', async () => {
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
