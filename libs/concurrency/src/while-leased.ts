import type { Lease, LeaseGrant } from '@ponte/event-sourcing';

/**
 * Acquires a lease, runs the work, and releases the lease, even if the work rejects. The work's signal aborts with
 * `signal` or when the lease is lost. Returns undefined, without running the work, if `signal` aborts before the lease
 * is granted.
 */
export async function whileLeased<T>(
  lease: Lease,
  name: string,
  signal: AbortSignal,
  work: (end: AbortSignal, grant: LeaseGrant) => Promise<T>,
): Promise<T | undefined> {
  const grant = await lease.acquire(name, signal);
  if (!grant) return undefined;
  try {
    return await work(AbortSignal.any([signal, grant.lost]), grant);
  } finally {
    await grant.release();
  }
}
