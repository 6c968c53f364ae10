import type { Lease, LeaseGrant } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import type { Metrics } from './metrics';

/** How many times this process holds a lease and waits for it. */
interface Standing {
  held: number;
  waiting: number;
}

/** Metrics for leases held or waited for. If all replicas wait for a lease, no process does its job. */
export const leaseMetrics =
  (metrics: Metrics): Decorator<Lease> =>
  (lease) => {
    const standings = new Map<string, Standing>();
    const change = (name: string, by: Partial<Standing>): void => {
      const { held, waiting } = standings.get(name) ?? { held: 0, waiting: 0 };
      const now = { held: held + (by.held ?? 0), waiting: waiting + (by.waiting ?? 0) };
      standings.set(name, now);
      if (now.held > 0 || now.waiting > 0) metrics.set('ponte_lease_held', Math.min(1, now.held), { lease: name });
      else metrics.remove('ponte_lease_held', { lease: name });
    };
    return {
      async acquire(name, signal) {
        change(name, { waiting: 1 });
        metrics.counter('ponte_lease_losses_total', { lease: name });
        let grant: LeaseGrant | undefined;
        try {
          grant = await lease.acquire(name, signal);
        } finally {
          change(name, { waiting: -1, held: grant ? 1 : 0 });
        }
        return grant && watched(name, grant);
      },
    };

    function watched(name: string, grant: LeaseGrant): LeaseGrant {
      const losses = metrics.counter('ponte_lease_losses_total', { lease: name });
      let held = true;
      const ended = (): void => {
        if (held) change(name, { held: -1 });
        held = false;
      };
      grant.lost.addEventListener(
        'abort',
        () => {
          if (held) losses.inc();
          ended();
        },
        { once: true },
      );
      return {
        fence: grant.fence,
        lost: grant.lost,
        release: () => {
          ended();
          return grant.release();
        },
      };
    }
  };
