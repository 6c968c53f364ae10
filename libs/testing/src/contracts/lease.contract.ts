import type { Checkpoints, Lease } from '@ponte/event-sourcing';
import { eventually } from '../polling';
import { freshId } from '../recorded';

/** One process of an installation. */
interface LeaseProcess {
  readonly lease: Lease;
  readonly checkpoints: Checkpoints;
}

interface LeasesUnderTest {
  /** A running process, which renews its leases. */
  start(): Promise<LeaseProcess>;
  /**
   * A process that is paused for long after it was granted a lease (SIGSTOP, a long garbage collection, a suspended
   * machine): it renews nothing, but its later calls are still executed.
   */
  startPaused(): Promise<LeaseProcess>;
  /** Longer than a lease lasts without renewal, in milliseconds. */
  readonly longMs: number;
  cleanUp(): Promise<void>;
}

/**
 * The contract of leases across processes: one holder at a time, replaced when it disappears, refused when it returns.
 */
export function describeLeases(name: string, open: () => Promise<LeasesUnderTest>): void {
  describe(`${name} as Lease of several processes`, () => {
    let under: LeasesUnderTest;
    /** A new signal for each call, because Node warns about many listeners on one. */
    const never = (): AbortSignal => new AbortController().signal;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.cleanUp());

    test('a holder that renews keeps its lease, and the next one gets it on release', async () => {
      const [first, second] = [await under.start(), await under.start()];
      const job = freshId();
      const lease = await first.lease.acquire(job, never());
      let next: number | undefined;
      const waiting = second.lease.acquire(job, never()).then((grant) => (next = grant?.fence));
      // Only waiting can show that nothing happens.
      await new Promise((resolve) => {
        setTimeout(resolve, 1.5 * under.longMs);
      });
      expect([next, lease?.lost.aborted]).toEqual([undefined, false]);
      await lease?.release();
      expect(await waiting).toBeGreaterThan(lease?.fence ?? Infinity);
    });

    test('concurrent calls get the lease one at a time, each with a greater fence', async () => {
      const processes = await Promise.all([under.start(), under.start(), under.start()]);
      const job = freshId();
      const fences: number[] = [];
      let holders = 0;
      await Promise.all(
        Array.from({ length: 9 }, async (_, at) => {
          const grant = await processes[at % 3]?.lease.acquire(job, never());
          expect((holders += 1)).toBe(1);
          fences.push(grant?.fence ?? 0);
          await Promise.resolve();
          holders -= 1;
          await grant?.release();
        }),
      );
      expect(fences).toHaveLength(9);
      expect(fences).toEqual([...fences].sort((a, b) => a - b));
      expect(new Set(fences).size).toBe(9);
    });

    test('a paused holder is replaced; when it continues, its lease is lost, its writes are refused and its release has no effect', async () => {
      const [paused, other] = [await under.startPaused(), await under.start()];
      const job = freshId();
      const old = await paused.lease.acquire(job, never());
      expect(await paused.checkpoints.save(job, '5', old?.fence)).toBe(true);
      const grant = await other.lease.acquire(job, never());
      expect(grant?.fence).toBeGreaterThan(old?.fence ?? Infinity);
      expect(await other.checkpoints.save(job, '7', grant?.fence)).toBe(true);
      expect(await paused.checkpoints.save(job, '6', old?.fence)).toBe(false);
      expect(await other.checkpoints.load(job)).toBe('7');
      await eventually(() => expect(old?.lost.aborted).toBe(true));
      await old?.release();
      const third = await under.start();
      const tired = AbortSignal.timeout(under.longMs);
      expect(await third.lease.acquire(job, tired)).toBeUndefined();
      expect(grant?.lost.aborted).toBe(false);
    });

    test('leases with different names are independent', async () => {
      const process = await under.start();
      const grants = await Promise.all(Array.from({ length: 20 }, () => process.lease.acquire(freshId(), never())));
      expect(grants.every((grant) => grant && !grant.lost.aborted)).toBe(true);
      await Promise.all(grants.map((grant) => grant?.release()));
    });
  });
}
