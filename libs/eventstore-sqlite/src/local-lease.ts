import { once } from 'node:events';
import type { Lease, LeaseGrant } from '@ponte/event-sourcing';

/**
 * Leases for a process that owns everything: granted at once, but to one holder at a time. `nextFence` counts durably,
 * so a holder of an earlier run never has the current fence. If it fails, the lease is not held.
 */
export function createLocalLease(nextFence: (name: string) => number | Promise<number>): Lease {
  /** For each held lease, a promise that resolves when it is released. */
  const held = new Map<string, Promise<void>>();
  return {
    async acquire(name, signal) {
      const aborted = held.has(name) ? once(signal, 'abort') : undefined;
      for (let holder = held.get(name); holder; holder = held.get(name)) {
        if (signal.aborted) return undefined;
        await Promise.race([holder, aborted]);
      }
      if (signal.aborted) return undefined;
      let free = (): void => undefined;
      const busy = new Promise<void>((resolve) => {
        free = resolve;
      });
      held.set(name, busy);
      const release = async (): Promise<void> => {
        if (held.get(name) === busy) held.delete(name);
        free();
      };
      try {
        const grant: LeaseGrant = { fence: await nextFence(name), lost: new AbortController().signal, release };
        return grant;
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}
