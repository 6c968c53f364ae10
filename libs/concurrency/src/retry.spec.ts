import { retry, retryDelay } from './retry';

const DELAYS = [100, 200];

/** Fails this many times and then returns the number of the attempt. */
const failing = (times: number) => {
  let tries = 0;
  return jest.fn(async () => {
    tries += 1;
    if (tries <= times) throw new Error(`failure ${tries}`);
    return tries;
  });
};

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test.each([
  [1, 0.5, 100],
  [2, 0.5, 200],
  [9, 0.5, 200],
  [1, 0, 75],
  [1, 1, 125],
])('after failure %d, the random number %d gives a delay of %d ms', (failures, draw, ms) => {
  expect(retryDelay(failures, DELAYS, () => draw)).toBe(ms);
});

test('work is retried with the delays of the table, the last one repeatedly, until it succeeds', async () => {
  const work = failing(3);
  const reportedFailures: number[] = [];
  const result = retry(work, { delays: DELAYS, onRetry: (_, failures) => void reportedFailures.push(failures) });
  for (const [ms, calls] of [
    [99, 1],
    [1, 2],
    [199, 2],
    [1, 3],
    [199, 3],
    [1, 4],
  ] as const) {
    await jest.advanceTimersByTimeAsync(ms);
    expect(work).toHaveBeenCalledTimes(calls);
  }
  expect([await result, reportedFailures]).toEqual([4, [1, 2, 3]]);
});

test('a final error ends the retries at once', async () => {
  const work = failing(9);
  const shouldRetry = (error: unknown): boolean => (error as Error).message !== 'failure 2';
  const result = retry(work, { delays: DELAYS, shouldRetry }).catch((error: Error) => error.message);
  await jest.advanceTimersByTimeAsync(1_000);
  expect([await result, work.mock.calls.length]).toEqual(['failure 2', 2]);
});

test('no attempt starts after patienceMs', async () => {
  const work = failing(9);
  const result = retry(work, { delays: DELAYS, patienceMs: 400 }).catch((error: Error) => error.message);
  await jest.advanceTimersByTimeAsync(1_000);
  expect([await result, work.mock.calls.length]).toEqual(['failure 3', 3]);
});

test('a signal ends the delay; one last attempt follows, and its failure is final', async () => {
  const work = failing(9);
  const stopping = new AbortController();
  const result = retry(work, { delays: DELAYS, signal: stopping.signal }).catch((error: Error) => error.message);
  await jest.advanceTimersByTimeAsync(10);
  stopping.abort();
  expect([await result, work.mock.calls.length]).toEqual(['failure 2', 2]);
});
