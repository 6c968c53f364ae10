import type { Lease } from '@ponte/event-sourcing';
import type { Metrics } from './metrics';

/** The leases, with those that this process holds told. */
export function withMetrics(lease: Lease, metrics: Metrics): Lease {
  return {
    async acquire(name, signal) {
      const grant = await lease.acquire(name, signal);
      if (!grant) return grant;
      const losses = metrics.counter('ponte_lease_losses_total', { lease: name });
      metrics.set('ponte_lease_held', 1, { lease: name });
      let held = true;
      const ended = (): void => {
        if (held) metrics.remove('ponte_lease_held', { lease: name });
        held = false;
      };
      grant.lost.addEventListener('abort', () => {
        if (held) losses.inc();
        ended();
      }, { once: true });
      return {
        fence: grant.fence,
        lost: grant.lost,
        release: () => {
          ended();
          return grant.release();
        },
      };
    },
  };
}
