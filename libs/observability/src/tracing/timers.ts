import type { Timers } from '@ponte/concurrency';
import type { Tracing } from './tracing';

/** The timers, with a trace for each run that asks, reads or records something. */
export function withTraces(timers: Timers, tracing: Tracing): Timers {
  if (!tracing.on) return timers;
  return {
    every: (name, milliseconds, job) =>
      timers.every(name, milliseconds, (signal) => tracing.unasked(`job ${name}`, () => job(signal))),
    start: () => timers.start(),
    stop: () => timers.stop(),
  };
}
