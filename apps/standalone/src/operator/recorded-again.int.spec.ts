import type { ParkedEvent, Recorded } from '@ponte/event-sourcing';
import { PARKED_BEHIND, PARKED_NOT_IN_LOG } from '@ponte/event-sourcing';
import { serveOperators } from '@ponte/nest';
import { anEvent, because, OperatorUnderTest } from './testing/operator-under-test';

let operated: OperatorUnderTest;
beforeEach(() => {
  operated = new OperatorUnderTest();
});
afterEach(() => operated.close());

const eventAt = (id: string, revision: number): Recorded => ({
  ...anEvent(id),
  ...{ stream: 'order-a', revision, position: String(revision) },
});
const row = (event: Recorded, reason = PARKED_NOT_IN_LOG): ParkedEvent => ({
  ...{ group: 'ledger', key: event.stream, event, reason, parkedAt: event.meta.occurredAt },
});
const undone = () => operated.verb('parked', 'discard-undone', '--confirm', ...because);
const parked = async () => (await operated.json('parked', 'list')).map(({ event, revision }) => [event, revision]);

/** A log of this many events, a0 and so on, of a stopped process, in which one event is parked. */
async function stopped(count: number, event: Recorded): Promise<void> {
  const { store, parkedEvents } = await operated.open();
  await store.append(
    'order-a',
    -1,
    Array.from({ length: count }, (_, at) => anEvent(`a${at}`)),
  );
  await parkedEvents.add(row(event));
  await operated.closeEngines();
}

describe('a parked event that the log has at another revision', () => {
  test.each([
    ['a later one', 1_002, 'a1001', 3],
    ['an earlier one', 2, 'a1', 3],
  ])('is not one that a restore undid: %s', async (_which, count, id, parkedAt) => {
    await stopped(count, eventAt(id, parkedAt));
    expect(await undone()).toMatchObject({ code: 0, out: 'every parked event is in the log' });
    expect((await operated.verb('parked', 'discard', id, ...because)).out).toContain(
      `in-log: yes: recorded again after a restore, at revision ${count - 1}`,
    );
    expect(await parked()).toEqual([[id, parkedAt]]);
  });

  test('is found by the process that has the log open', async () => {
    await stopped(2, eventAt('a1', 3));
    const running = await operated.open();
    serveOperators(running, []);
    running.timers.start();
    expect(await undone()).toEqual({ code: 0, out: 'every parked event is in the log', err: '' });
  });
});

describe('an event that is recorded again while those that a restore undid are removed stays parked', () => {
  const message = 'not removed: x1 has just been recorded again, so it stays parked; release its stream';

  test('if that happens before its turn', async () => {
    await stopped(1, eventAt('x1', 3));
    operated.change = ({ findEvent }) => {
      let looks = 0;
      return { findEvent: async (...one) => ((looks += 1) > 1 ? eventAt('x1', 1) : findEvent(...one)) };
    };
    expect(await undone()).toMatchObject({ code: 1, out: expect.stringContaining(message) });
    expect(await parked()).toEqual([['x1', 3]]);
  });

  test.each(['first', 'second'])(
    'at the same revision, if the command dies after its %s look at the log',
    async (which) => {
      await stopped(1, eventAt('x1', 3));
      operated.change = ({ parkedEvents, findEvent }) => {
        // The look with which the command finds what it removes comes before.
        const last = which === 'first' ? 2 : 3;
        let looks = 0;
        return {
          findEvent: async (...one) => {
            looks += 1;
            if (looks > last) throw new Error('the process died');
            const found = await findEvent(...one);
            if (looks === last) await parkedEvents.add(row(eventAt('x1', 3), PARKED_BEHIND));
            return found;
          },
        };
      };
      await undone().catch(() => undefined);
      expect(await parked()).toEqual([['x1', 3]]);
    },
  );

  test('if it is delivered just before it would be removed', async () => {
    await stopped(1, eventAt('x1', 3));
    operated.change = ({ parkedEvents }) => {
      const removeUndone = parkedEvents.removeUndone.bind(parkedEvents);
      jest.spyOn(parkedEvents, 'removeUndone').mockImplementation(async (...one) => {
        await parkedEvents.replace(row(eventAt('x1', 1), PARKED_BEHIND));
        await removeUndone(...one);
      });
      return {};
    };
    expect(await undone()).toMatchObject({ code: 1, out: expect.stringContaining(message) });
    expect(await parked()).toEqual([['x1', 1]]);
  });
});
