/** The outcome of an attempt, for the concurrency limiter of the endpoint. */
export interface AttemptResult {
  /** The delivery has ended: the next event about the resource may be sent. */
  readonly ended: boolean;
  /** How the receiver did; `unasked` when no request left. */
  readonly receiver: 'well' | 'badly' | 'unasked';
  /**
   * Until when the receiver asked for no requests, business time in epoch milliseconds. It counts from the response, so
   * recording that takes long does not prolong it.
   */
  readonly restUntilMs: number | null;
}

/** No request left. */
export const unasked = (ended: boolean): AttemptResult => ({ ended, receiver: 'unasked', restUntilMs: null });

/** The end of a receiver's `Retry-After`, counted from its response (ISO 8601 business time). */
export const restUntil = (answeredAt: string, seconds: number | null): number | null =>
  seconds === null ? null : Date.parse(answeredAt) + seconds * 1_000;
