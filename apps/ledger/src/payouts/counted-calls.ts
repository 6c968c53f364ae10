import type { Decorator } from '@ponte/kernel';
import { around } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';

/** Counts the calls of a port to a bank by outcome: `answered`, `timed-out`, `failed` or `broken`. */
export const countedCalls = <T extends object>(
  metric: 'ponte_payout_calls_total' | 'ponte_pix_calls_total',
  methods: readonly (keyof T & string)[],
  metrics: Metrics,
): Decorator<T> =>
  around<T>(methods, async (method, call) => {
    const count = (outcome: string): void => metrics.counter(metric, { call: method, outcome }).inc();
    try {
      const answer = await call();
      count('answered');
      return answer;
    } catch (error) {
      count(error instanceof RailTimedOut ? 'timed-out' : error instanceof RailFailed ? 'failed' : 'broken');
      throw error;
    }
  });
