import type { Metrics } from './metrics';

/** A sanctions list as this process uses it. */
export interface ListInUse {
  readonly name: string;
  /** People or addresses. */
  readonly entries: number;
  /** When the file of these entries was written, in epoch milliseconds; null for a list that is part of the program. */
  readonly writtenAt: number | null;
  /** Whether the file is missing, or has changed and cannot be used. */
  readonly isRefused: boolean;
}

/**
 * Shows whether the lists are up to date. Without these metrics a screening against an old list looks like any other.
 *
 * @param now the time of the system in epoch milliseconds, because it is compared with that of files
 */
export function measureLists(metrics: Metrics, now: () => number, lists: () => readonly ListInUse[]): void {
  metrics.measure('ponte_screening_list_refused', async () =>
    lists().map(({ name, isRefused }) => ({ labels: { list: name }, value: isRefused ? 1 : 0 })),
  );
  metrics.measure('ponte_screening_list_entries', async () =>
    lists().map(({ name, entries }) => ({ labels: { list: name }, value: entries })),
  );
  metrics.measure('ponte_screening_list_age_seconds', async () =>
    lists().flatMap(({ name, writtenAt }) =>
      writtenAt === null ? [] : [{ labels: { list: name }, value: Math.max(0, now() - writtenAt) / 1_000 }],
    ),
  );
}
