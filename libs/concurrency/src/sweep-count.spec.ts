import { SweepCount } from './sweep-count';

/** A sweep under a clock that the test moves. */
function sweepCount() {
  let now = 0;
  const count = new SweepCount({ now: () => now });
  return { count, wait: (ms: number) => (now += ms) };
}

/** A sweep that finds this many. */
const finds = (times: number) => async (found: () => void) => {
  for (let finding = 0; finding < times; finding += 1) found();
};

describe('what a sweep found', () => {
  it('is reported for a minute, because another process may be sweeping by then', async () => {
    const { count, wait } = sweepCount();
    expect(count.value()).toBe(0);
    await count.run(finds(2));
    wait(59_999);
    expect(count.value()).toBe(2);
    wait(1);
    expect(count.value()).toBe(0);
  });

  it('is reported while the next sweep runs, however long it takes', async () => {
    const { count, wait } = sweepCount();
    await count.run(finds(2));
    wait(30_000);
    let end: () => void = () => undefined;
    const second = count.run(() => new Promise<void>((resolve) => (end = resolve)));
    wait(600_000);
    expect(count.value()).toBe(2);
    end();
    await second;
    expect(count.value()).toBe(0);
  });

  it('is reported before the sweep ends', async () => {
    const { count } = sweepCount();
    void count.run(async (found) => {
      found();
      await new Promise<void>(() => undefined);
    });
    expect(count.value()).toBe(1);
  });

  it('is not reported once the next sweep found less, while the rest of that run takes long', async () => {
    const { count, wait } = sweepCount();
    await count.run(finds(2));
    let end: () => void = () => undefined;
    const rest = new Promise<void>((resolve) => (end = resolve));
    const begun = new Promise<void>((resolve) => {
      void count.run(finds(1), () => (resolve(), rest));
    });
    await begun;
    expect(count.value()).toBe(1);
    wait(600_000);
    expect(count.value()).toBe(1);
    end();
  });

  it('is reported for a minute after the rest of its run, even if that failed', async () => {
    const { count, wait } = sweepCount();
    const rest = async () => {
      wait(600_000);
      throw new Error('the ledger does not answer');
    };
    await expect(count.run(finds(1), rest)).rejects.toThrow('does not answer');
    wait(59_999);
    expect(count.value()).toBe(1);
    wait(1);
    expect(count.value()).toBe(0);
  });

  it('is not reported again when a sweep begins long after it', async () => {
    const { count, wait } = sweepCount();
    await count.run(finds(1));
    wait(3_600_000);
    void count.run(() => new Promise<void>(() => undefined));
    expect(count.value()).toBe(0);
  });

  it('is not reported for longer after a sweep that failed', async () => {
    const { count, wait } = sweepCount();
    await count.run(finds(1));
    wait(60_000);
    await expect(count.run(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    expect(count.value()).toBe(0);
  });
});
