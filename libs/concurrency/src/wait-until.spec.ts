import { waitUntil } from './wait-until';

describe('waitUntil', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('asks until the answer is yes', async () => {
    const answers = [false, false, true];
    expect(await waitUntil(async () => answers.shift() ?? false, 10_000)).toBe(true);
    expect(answers).toEqual([]);
  });

  it('gives up after the time, and always asks once', async () => {
    let attempts = 0;
    const never = async () => {
      attempts += 1;
      return false;
    };
    expect([await waitUntil(never, 0), attempts]).toEqual([false, 1]);
    jest.useFakeTimers();
    const begun = performance.now();
    let waited = Infinity;
    const answer = waitUntil(never, 100).finally(() => {
      waited = performance.now() - begun;
    });
    await jest.advanceTimersByTimeAsync(10_000);
    expect([await answer, waited <= 100]).toEqual([false, true]);
    expect(attempts).toBeGreaterThan(2);
  });
});
