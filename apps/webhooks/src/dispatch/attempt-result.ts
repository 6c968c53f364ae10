import type { StopReason } from '../endpoints/account-endpoints.service';
import type { OutgoingAnswer } from '../outgoing-http/outgoing-http.port';

const GONE = 410;

/** The outcome of an attempt, for the concurrency limiter of the endpoint. */
export interface AttemptResult {
  /** The delivery has ended, so the next event about the resource may be sent. */
  readonly ended: boolean;
  /** How the receiver responded; `not-called` when no request was sent. */
  readonly receiver: 'accepted' | 'failed' | 'not-called';
  /**
   * Until when the receiver asked for no requests (`Retry-After`), business time in epoch milliseconds. It counts from
   * the response, so that a slow write of the outcome does not extend it.
   */
  readonly restUntilMs: number | null;
}

/** The result when no request was sent. */
export const notCalled = (ended: boolean): AttemptResult => ({ ended, receiver: 'not-called', restUntilMs: null });

/** The end of a receiver's `Retry-After`, counted from its response (ISO 8601 business time). */
export const restUntil = (answeredAt: string, seconds: number | null): number | null =>
  seconds === null ? null : Date.parse(answeredAt) + seconds * 1_000;

/**
 * The failure to record for a response. A 410 is final, unless the endpoint has got another URL since: `hasMoved` is
 * asked then. Without a response, `stop` is the reason why nothing was sent.
 */
export async function failureOf(
  answer: OutgoingAnswer | undefined,
  stop: StopReason | undefined,
  hasMoved: () => Promise<boolean>,
) {
  if (!answer) return { httpStatus: null, reason: stop ?? 'endpoint-deleted', last: true } as const;
  if (answer.kind === 'failed') return { httpStatus: null, reason: answer.reason, last: false };
  const last = answer.status === GONE && !(await hasMoved());
  return { httpStatus: answer.status, reason: last ? 'gone' : 'http-status', last } as const;
}
