/** Waits before each further try, in milliseconds; after the last the event is parked. */
export interface RetrySchedule {
  readonly failed: readonly number[];
  /** When the consumer said that something is unavailable: an outage is given minutes, not seconds. */
  readonly unavailable: readonly number[];
}

export const RETRIES: RetrySchedule = {
  failed: [50, 250, 1_000, 5_000],
  unavailable: [50, 250, 1_000, 2_000, ...Array.from({ length: 24 }, () => 5_000)],
};
