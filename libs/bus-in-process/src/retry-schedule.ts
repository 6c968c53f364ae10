/** Delays before further attempts to handle an event, in milliseconds. Jitter is added to each of them. */
export interface RetrySchedule {
  /** Used when the consumer fails. After the last attempt the event is parked. */
  readonly failed: readonly number[];
  /**
   * Used when a request of the consumer failed in a way that its service did not expect. After the last attempt the
   * event is parked. Default: {@link UNEXPECTED}.
   */
  readonly unexpected?: readonly number[];
  /** Used while something that the consumer needs is unavailable. The last delay repeats; nothing is parked. */
  readonly unavailable: readonly number[];
}

/** About two minutes: the service may be about to restart, which may fix the failure. */
export const UNEXPECTED: readonly number[] = [50, 250, 1_000, 2_000, ...Array.from({ length: 24 }, () => 5_000)];

export const RETRIES: RetrySchedule = {
  failed: [50, 250, 1_000, 5_000],
  unexpected: UNEXPECTED,
  unavailable: [50, 250, 1_000, 2_000, 5_000],
};
