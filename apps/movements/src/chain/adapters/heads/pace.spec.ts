import { Pace } from './pace';

describe('polls of a local chain', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function follower() {
    let now = 0;
    const pace = new Pace({ busyMs: 200, restMs: 5_000, busyForMs: 10_000, now: () => now });
    const end = new AbortController();
    let looks = 0;
    const running = (async () => {
      for (; !end.signal.aborted; looks += 1) await pace.next(end.signal);
    })();
    const pass = async (ms: number): Promise<number> => {
      const before = looks;
      for (let at = 0; at < ms; at += 50) {
        now += 50;
        await jest.advanceTimersByTimeAsync(50);
      }
      return looks - before;
    };
    return {
      pace,
      pass,
      stop: async () => {
        end.abort();
        await running;
      },
    };
  }

  it('happen at most twelve times a minute on an idle chain', async () => {
    const { pass, stop } = follower();
    expect(await pass(60_000)).toBeLessThanOrEqual(12);
    await stop();
  });

  it('start at once when a transaction is sent, are frequent for ten seconds, and slow down again', async () => {
    const { pace, pass, stop } = follower();
    await pass(1_000);
    pace.moved();
    expect(await pass(10_000)).toBeGreaterThanOrEqual(45);
    await pass(5_000);
    expect(await pass(60_000)).toBeLessThanOrEqual(12);
    await stop();
  });
});
