import type { Backlog, Backlogs } from '@ponte/event-sourcing';
import { BACKLOG_COUNTS_MS } from '@ponte/event-sourcing';

/** Where one process is all there is. `now` in milliseconds, of a clock that never goes back. */
export function localBacklogs(now: () => number = () => performance.now()): Backlogs {
  let reported: { readonly backlog: Backlog; readonly at: number } | null = null;
  return {
    tell: async (backlog) => {
      reported = backlog && { backlog, at: now() };
    },
    worst: async () => (reported && now() - reported.at < BACKLOG_COUNTS_MS ? reported.backlog : null),
  };
}
