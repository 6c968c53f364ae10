import { becomes } from './becomes';

describe('becomes', () => {
  it('asks until the answer is yes', async () => {
    const answers = [false, false, true];
    expect(await becomes(async () => answers.shift() ?? false, 10_000)).toBe(true);
    expect(answers).toEqual([]);
  });

  it('gives up after the time, and always asks once', async () => {
    let asked = 0;
    const never = async () => {
      asked += 1;
      return false;
    };
    expect([await becomes(never, 0), asked]).toEqual([false, 1]);
    const begun = performance.now();
    expect(await becomes(never, 100)).toBe(false);
    expect(performance.now() - begun).toBeLessThan(100 + 50);
    expect(asked).toBeGreaterThan(2);
  });
});
