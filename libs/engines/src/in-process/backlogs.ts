import type { Backlog, Backlogs } from '@ponte/event-sourcing';
import { BACKLOG_COUNTS_MS } from '@ponte/event-sourcing';

/** Where one process is all there is. `now` in milliseconds, of a clock that never goes back. */
export function localBacklogs(now: () => number = () => performance.now()): Backlogs {
  let told: { readonly backlog: Backlog; readonly at: number } | null = null;
  return {
    tell: async (backlog) => { told = backlog && { backlog, at: now() }; },
    worst: async () => (told && now() - told.at < BACKLOG_COUNTS_MS ? told.backlog : null),
  };
}
