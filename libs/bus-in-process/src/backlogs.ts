import type { Backlog, Backlogs } from '@ponte/event-sourcing';
import { BACKLOG_COUNTS_MS } from '@ponte/event-sourcing';

/** Backlogs of an installation with a single process. `now` returns milliseconds of a monotonic clock. */
export function localBacklogs(now: () => number = () => performance.now()): Backlogs {
  let reported: { readonly backlog: Backlog; readonly at: number } | null = null;
  return {
    report: async (backlog) => {
      reported = backlog && { backlog, at: now() };
    },
    worst: async () => (reported && now() - reported.at < BACKLOG_COUNTS_MS ? reported.backlog : null),
  };
}
