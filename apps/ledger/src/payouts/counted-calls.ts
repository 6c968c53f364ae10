import type { Decorator } from '@ponte/kernel';
import { around } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';

/** Counts the calls of a port by outcome: `answered`, `timed-out`, `failed` or `broken`. */
export const countedCalls = <T extends object>(
  methods: readonly (keyof T & string)[],
  metrics: Metrics,
): Decorator<T> =>
  around<T>(methods, async (method, call) => {
    const count = (outcome: string): void =>
      metrics.counter('ponte_payout_calls_total', { call: method, outcome }).inc();
    try {
      const answer = await call();
      count('answered');
      return answer;
    } catch (error) {
      count(error instanceof RailTimedOut ? 'timed-out' : error instanceof RailFailed ? 'failed' : 'broken');
      throw error;
    }
  });
