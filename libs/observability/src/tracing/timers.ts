import type { Timers } from '@ponte/concurrency';
import type { Decorator } from '@ponte/kernel';
import type { Tracing } from './tracing';

/** Creates a trace for each run of a job that makes a request, reads or appends. */
export const timerTraces =
  (tracing: Tracing): Decorator<Timers> =>
  (timers) =>
    tracing.on
      ? {
          every: (name, milliseconds, job) =>
            timers.every(name, milliseconds, (signal) => tracing.unasked(`job ${name}`, () => job(signal))),
        }
      : undefined;
