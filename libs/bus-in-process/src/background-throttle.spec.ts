import type { EventStore, LogSlice } from '@ponte/event-sourcing';
import { instrument } from '@ponte/kernel';
import { BackgroundThrottle, throttledReaders } from './background-throttle';

const CALLERS = 64;

describe('priority of callers over consumers of the log (ADR 62)', () => {
  let now = 0;
  let throttle: BackgroundThrottle;
  let admitted = 0;
  beforeEach(() => {
    jest.useFakeTimers();
    [now, admitted] = [0, 0];
    throttle = new BackgroundThrottle(() => now);
  });
  afterEach(() => jest.useRealTimers());

  const events = (count: number): void => {
    for (let at = 0; at < count; at += 1) {
      const turn = throttle.turn();
      if (!turn) admitted += 1;
      else
        void turn.then(() => {
          admitted += 1;
        });
    }
  };
  const callers = (count: number): void => {
    for (let at = 0; at < count; at += 1) throttle.requestBegan();
  };
  const answered = (count: number): void => {
    for (let at = 0; at < count; at += 1) throttle.requestEnded();
  };
  const pass = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    await jest.advanceTimersByTimeAsync(milliseconds);
  };

  it('nothing waits while there are few callers', () => {
    callers(3);
    events(100);
    expect(admitted).toBe(100);
  });

  it('while there are many callers, one event is admitted for every 32 answered requests', async () => {
    callers(2 * CALLERS);
    events(100);
    await Promise.resolve();
    expect(admitted).toBe(0);
    answered(80);
    await Promise.resolve();
    expect(admitted).toBe(2);
  });

  it('stays busy for a short time after all requests were answered at once, as after a group commit', async () => {
    callers(CALLERS);
    events(100);
    answered(CALLERS);
    await Promise.resolve();
    expect(admitted).toBe(2);
    await pass(25);
    await pass(25);
    expect(admitted).toBe(100);
  });

  it('consumers always make progress, even if no caller is answered for a long time', async () => {
    callers(CALLERS);
    events(100);
    await pass(25);
    expect(admitted).toBe(8);
    await pass(75);
    expect(admitted).toBe(32);
  });

  it('events admitted for answered requests count towards the minimum per tick', async () => {
    callers(2 * CALLERS);
    events(100);
    answered(CALLERS);
    await pass(25);
    expect(admitted).toBe(8);
    answered(16);
    await pass(25);
    expect(admitted).toBe(16);
  });

  it('a projector delays a slice while there are many callers, by at most 250 ms; a subscription without a name is not delayed', async () => {
    const slice = { events: [{ id: 'one' }], position: '1', caughtUp: true } as unknown as LogSlice;
    const store = instrument(
      {
        subscribe: () => ({
          async *[Symbol.asyncIterator]() {
            yield slice;
          },
          close: async () => undefined,
        }),
      } as unknown as EventStore,
      [throttledReaders(throttle)],
    );
    const reported: string[] = [];
    const follow = async (as: string, reader?: string): Promise<void> => {
      for await (const { position } of store.subscribe({ reader })) reported.push(`${as} ${position}`);
    };
    callers(3);
    void follow('in quiet', 'outbox');
    await pass(0);
    callers(CALLERS);
    void follow('named', 'outbox');
    void follow('unnamed');
    await pass(0);
    expect(reported).toEqual(['in quiet 1', 'unnamed 1']);
    await pass(225);
    expect(reported).toHaveLength(2);
    await pass(25);
    expect(reported).toEqual(['in quiet 1', 'unnamed 1', 'named 1']);
  });

  it('unused turns are not saved up', async () => {
    callers(CALLERS);
    answered(10_000);
    callers(10_000);
    events(100);
    await Promise.resolve();
    expect(admitted).toBe(16);
  });
});
