import type { Checkpoints, Lease } from '@ponte/event-sourcing';
import { freshId } from '../recorded';

interface ProgressUnderTest {
  readonly checkpoints: Checkpoints;
  readonly lease: Lease;
  /** Simulates a restart of the process. */
  reopen(): Promise<{ readonly checkpoints: Checkpoints; readonly lease: Lease }>;
  cleanUp(): Promise<void>;
}

/** The contract of the `Checkpoints` and `Lease` ports. */
export function describeProgress(name: string, open: () => Promise<ProgressUnderTest>): void {
  describe(`${name} as Checkpoints and Lease`, () => {
    let under: ProgressUnderTest;
    const never = new AbortController().signal;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.cleanUp());

    test('a checkpoint is undefined at first and then the last one saved, even after a restart', async () => {
      const reader = freshId();
      expect(await under.checkpoints.load(reader)).toBeUndefined();
      expect(await under.checkpoints.save(reader, '7')).toBe(true);
      expect(await under.checkpoints.save(reader, '12')).toBe(true);
      expect(await under.checkpoints.load(reader)).toBe('12');
      expect(await under.checkpoints.load(freshId())).toBeUndefined();
      expect(await (await under.reopen()).checkpoints.load(reader)).toBe('12');
    });

    test('a checkpoint of an older holder is refused once a newer one has saved, but not one of the same holder', async () => {
      const reader = freshId();
      expect(await under.checkpoints.save(reader, '1', 4)).toBe(true);
      expect(await under.checkpoints.save(reader, '2', 5)).toBe(true);
      expect(await under.checkpoints.save(reader, '9', 4)).toBe(false);
      expect(await under.checkpoints.save(reader, '3', 5)).toBe(true);
      expect(await under.checkpoints.load(reader)).toBe('3');
    });

    test('a lease has one holder at a time, each with a greater fence, even after a restart', async () => {
      const job = freshId();
      const first = await under.lease.acquire(job, never);
      let second: unknown = 'waiting';
      const waiting = under.lease.acquire(job, never).then((grant) => (second = grant));
      const other = await under.lease.acquire(freshId(), never);
      expect(other).toBeDefined();
      expect(second).toBe('waiting');
      await first?.release();
      const grant = await waiting;
      expect((grant as { fence: number }).fence).toBeGreaterThan(first?.fence ?? Infinity);
      const later = await (await under.reopen()).lease.acquire(job, never);
      expect(later?.fence).toBeGreaterThan((grant as { fence: number }).fence);
    });

    test('an aborted call gets no lease, which goes to the next one', async () => {
      const job = freshId();
      const lease = await under.lease.acquire(job, never);
      const tired = new AbortController();
      const waiting = [
        under.lease.acquire(job, tired.signal),
        under.lease.acquire(job, never),
        under.lease.acquire(job, never),
      ];
      tired.abort();
      expect(await waiting[0]).toBeUndefined();
      await lease?.release();
      const next = await Promise.race([waiting[1], waiting[2]]);
      await next?.release();
      const last = (await Promise.all([waiting[1], waiting[2]])).find((grant) => grant !== next);
      expect(last?.fence).toBeGreaterThan(next?.fence ?? Infinity);
      expect(await under.lease.acquire(freshId(), tired.signal)).toBeUndefined();
    });

    test('releasing a lease twice does not take it from its next holder', async () => {
      const job = freshId();
      const first = await under.lease.acquire(job, never);
      await first?.release();
      const second = await under.lease.acquire(job, never);
      await first?.release();
      const tired = new AbortController();
      const third = under.lease.acquire(job, tired.signal);
      tired.abort();
      expect(await third).toBeUndefined();
      await second?.release();
    });

    test('a checkpoint of an earlier holder is refused after the next one saved, even after a restart', async () => {
      const job = freshId();
      const first = await under.lease.acquire(job, never);
      expect(await under.checkpoints.save(job, '1', first?.fence)).toBe(true);
      const again = await under.reopen();
      const second = await again.lease.acquire(job, never);
      expect(await again.checkpoints.save(job, '2', second?.fence)).toBe(true);
      expect(await again.checkpoints.save(job, '9', first?.fence)).toBe(false);
      expect(await again.checkpoints.load(job)).toBe('2');
    });

    test('of 64 concurrent saves with different fences, the one with the greatest fence remains', async () => {
      const reader = freshId();
      await Promise.all(
        Array.from({ length: 64 }, (_, at) => under.checkpoints.save(reader, `at ${(at * 37) % 64}`, (at * 37) % 64)),
      );
      expect(await under.checkpoints.load(reader)).toBe('at 63');
    });
  });
}
