import type { Lease, LeaseGrant } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import { LeasedJobs } from './leased-jobs';
import type { Job, Timers } from './timers';
import { createTimers } from './timers';

interface Grant extends LeaseGrant {
  readonly lose: () => void;
  released: boolean;
}

/** A lease that is granted, fails or keeps callers waiting, as the test sets it. */
class LeaseUnderTest implements Lease {
  readonly grants: Grant[] = [];
  failing = false;
  acquired = 0;

  async acquire(_name: string, signal: AbortSignal): Promise<LeaseGrant | undefined> {
    this.acquired += 1;
    if (signal.aborted) return undefined;
    await Promise.resolve();
    if (this.failing) throw new Error('the database is away');
    const lost = new AbortController();
    const grant: Grant = {
      fence: this.acquired,
      lost: lost.signal,
      lose: () => lost.abort(),
      released: false,
      release: async () => void (grant.released = true),
    };
    this.grants.push(grant);
    return grant;
  }
}

function setUp() {
  const lease = new LeaseUnderTest();
  const registered = new Map<string, Job>();
  let stop = async (): Promise<void> => undefined;
  const stopping = new AbortController();
  const timers: Timers = {
    stopping: stopping.signal,
    every: (name, _milliseconds, job) => void registered.set(name, job),
    onStop: (work) => void (stop = work),
    start: () => undefined,
    stop: async () => undefined,
  };
  let losses = 0;
  const jobs = new LeasedJobs(lease, 'test', timers, () => void (losses += 1));
  const runs: number[] = [];
  const signals: AbortSignal[] = [];
  for (const name of ['first', 'second'])
    jobs.every({ name, everyMs: 10, run: async ({ fence }, signal) => void [runs.push(fence), signals.push(signal)] });
  const tick = (name = 'first') => registered.get(name)?.(stopping.signal);
  const stopped = () => {
    stopping.abort();
    return stop();
  };
  return { lease, jobs, runs, signals, tick, stop: stopped, losses: () => losses };
}

describe('jobs that share a lease', () => {
  it('acquire it once for all of them, even when they start together, and keep it between runs', async () => {
    const { lease, jobs, runs, tick } = setUp();
    expect(jobs.holds()).toBe(false);
    await Promise.all([tick('first'), tick('second')]);
    await tick('first');
    expect([lease.acquired, runs, jobs.holds()]).toEqual([1, [1, 1, 1], true]);
  });

  it('acquire it again after it is lost', async () => {
    const { lease, jobs, runs, tick, losses } = setUp();
    await tick();
    lease.grants[0]?.lose();
    expect(jobs.holds()).toBe(false);
    await tick();
    expect([runs, losses(), jobs.holds()]).toEqual([[1, 2], 1, true]);
  });

  it('pass each run the same signal until the lease is lost, which aborts as the process stops', async () => {
    const { lease, signals, tick, stop } = setUp();
    for (let run = 0; run < 2; run += 1) await tick();
    lease.grants[0]?.lose();
    for (let run = 0; run < 2; run += 1) await tick();
    const [first, again, next] = signals;
    expect([first === again, again === next, new Set(signals).size]).toEqual([true, false, 2]);
    expect([first?.aborted, next?.aborted]).toEqual([true, false]);
    await stop();
    expect(next?.aborted).toBe(true);
  });

  it('try again after it cannot be acquired', async () => {
    const { lease, runs, tick } = setUp();
    lease.failing = true;
    await expect(tick()).rejects.toThrow('the database is away');
    expect(runs).toEqual([]);
    lease.failing = false;
    await tick();
    expect(runs).toEqual([2]);
  });

  it('release it when the process stops, and do not run again', async () => {
    const { lease, jobs, runs, tick, stop } = setUp();
    await tick();
    await stop();
    await tick();
    expect([runs, lease.grants.map(({ released }) => released), jobs.holds()]).toEqual([[1], [true], false]);
  });

  it('release it if it is granted while the process stops, and ignore it if acquiring fails then', async () => {
    const granted = setUp();
    const running = granted.tick();
    await Promise.all([granted.stop(), running]);
    expect([granted.runs, granted.lease.grants.map(({ released }) => released)]).toEqual([[], [true]]);
    const failed = setUp();
    failed.lease.failing = true;
    const failing = failed.tick();
    await Promise.all([failed.stop(), expect(failing).rejects.toThrow('away')]);
  });

  it('release it after work under a higher fence, and acquire it again before the next run', async () => {
    const { lease, jobs, runs, tick } = setUp();
    const fences: number[] = [];
    const work = async (fence: number) => void fences.push(fence);
    expect(await jobs.supersede(work)).toBe(false);
    await tick();
    expect(await jobs.supersede(work)).toBe(true);
    expect([fences, lease.grants[0]?.released, lease.acquired]).toEqual([[2], true, 2]);
    await new Promise(setImmediate);
    expect(jobs.holds()).toBe(true);
    await tick();
    expect([runs, lease.acquired]).toEqual([[1, 2], 2]);
  });

  it('try again at the next run if it cannot be acquired again at once', async () => {
    const { lease, jobs, runs, tick } = setUp();
    await tick();
    lease.failing = true;
    expect(await jobs.supersede(async () => undefined)).toBe(true);
    await new Promise(setImmediate);
    expect(jobs.holds()).toBe(false);
    lease.failing = false;
    await tick();
    expect(runs).toEqual([1, 3]);
  });
});

it('a job that waits for its lease again, after it was superseded, does not keep timers from stopping', async () => {
  const timers = createTimers({} as Logger);
  const lease = new LeaseUnderTest();
  const jobs = new LeasedJobs(lease, 'test', timers);
  let run = (): void => undefined;
  const ran = new Promise<void>((resolve) => (run = resolve));
  jobs.every({ name: 'job', everyMs: 1, run: async () => run() });
  timers.start();
  await ran;
  lease.acquire = (_name, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  expect(await jobs.supersede(async () => undefined)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await timers.stop();
  expect(jobs.holds()).toBe(false);
});

it('timers that stop run the work for the stop after the last run of every job', async () => {
  const timers = createTimers({} as Logger);
  const done: string[] = [];
  timers.onStop(async () => void done.push('stopped'));
  const begun = new Promise<void>((resolve) => {
    timers.every('job', 1_000, async (signal) => {
      resolve();
      await new Promise((aborted) => signal.addEventListener('abort', aborted));
      await new Promise(setImmediate);
      done.push('run ended');
    });
  });
  timers.start();
  await begun;
  await timers.stop();
  expect(done).toEqual(['run ended', 'stopped']);
});
