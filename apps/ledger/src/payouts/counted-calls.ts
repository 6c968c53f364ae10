import type { Metrics } from '@ponte/observability';
import { RailFailed, RailTimedOut } from '../ports/pix-charges';

/** The port, with its calls counted by outcome: `answered`, `timed-out`, `failed` or `broken`. */
export function countedCalls<T extends object>(port: T, methods: readonly (keyof T & string)[], metrics: Metrics): T {
  const counted: ReadonlySet<string | symbol> = new Set(methods);
  return new Proxy(port, {
    get(target, member) {
      const found: unknown = Reflect.get(target, member, target);
      if (typeof found !== 'function') return found;
      const call = (found as (...given: unknown[]) => Promise<unknown>).bind(target);
      if (!counted.has(member)) return call;
      const count = (outcome: string): void =>
        metrics.counter('ponte_payout_calls_total', { call: String(member), outcome }).inc();
      return async (...given: unknown[]) => {
        try {
          const answer = await call(...given);
          count('answered');
          return answer;
        } catch (error) {
          count(error instanceof RailTimedOut ? 'timed-out' : error instanceof RailFailed ? 'failed' : 'broken');
          throw error;
        }
      };
    },
  });
}
