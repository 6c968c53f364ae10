import { OneAtATime } from './one-at-a-time';

/** Work whose runs are ended by the test. */
function controlledWork() {
  const runs: { end: () => void; fail: (error: Error) => void }[] = [];
  const work = new OneAtATime(
    () =>
      new Promise<void>((end, fail) => {
        runs.push({ end, fail });
      }),
  );
  return { work, runs };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('work that runs one at a time', () => {
  it('runs once more for all requests that come during a run', async () => {
    const { work, runs } = controlledWork();
    let finished = 0;
    const runRequests = [work.run(), work.run(), work.run()].map((one) => one.then(() => (finished += 1)));
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await turn();
    expect([runs.length, finished]).toEqual([2, 0]);
    runs[1]?.end();
    await Promise.all(runRequests);
    expect([runs.length, finished]).toEqual([2, 3]);
  });

  it('runs again on a request after it has ended', async () => {
    const { work, runs } = controlledWork();
    const first = work.run();
    runs[0]?.end();
    await first;
    const second = work.run();
    expect(runs).toHaveLength(2);
    runs[1]?.end();
    await second;
  });

  it('rejects with the error of a failed run, and can be requested again', async () => {
    const { work, runs } = controlledWork();
    const failed = expect(work.run()).rejects.toThrow('broken');
    runs[0]?.fail(new Error('broken'));
    await failed;
    await work.idle();
    const again = work.run();
    runs[1]?.end();
    await expect(again).resolves.toBeUndefined();
  });

  it('is idle once the current run has ended, even with an error', async () => {
    const { work, runs } = controlledWork();
    await work.idle();
    work.run().catch(() => undefined);
    let isIdle = false;
    const idle = work.idle().then(() => (isIdle = true));
    await turn();
    expect(isIdle).toBe(false);
    runs[0]?.fail(new Error('broken'));
    await idle;
  });
});
