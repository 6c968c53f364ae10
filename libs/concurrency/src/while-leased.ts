import type { Lease, LeaseGrant } from '@ponte/event-sourcing';

/**
 * Acquires a lease, does the work, and releases the lease, also when the work rejects. The signal of the work aborts
 * with `signal`, or when the lease is lost. Undefined when `signal` aborts before the lease is granted: then the work
 * was not begun.
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
