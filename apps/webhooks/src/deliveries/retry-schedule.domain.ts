import { addSeconds, derivedId, fromIso, isoTime } from '@ponte/kernel';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Seconds from the end of one attempt to the start of the next; the first is made at once. The first delays are short,
 * because most failures are restarts of the receiver; with the later ones, 14 attempts cover a long weekend.
 */
export const DELAYS_SECONDS: readonly number[] = [
  0,
  10,
  30,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/** Jitter of ±10 %, so that deliveries that failed together are not all retried at the same moment. */
export const JITTER_PERMILLE = 100;

/** The longest `Retry-After` that is followed: the longest delay of the schedule. */
const MAX_RETRY_AFTER_SECONDS = 24 * HOUR;

/** An endpoint that fails for this long without one success is disabled. */
export const FAILING_LIMIT_SECONDS = 120 * HOUR;

/**
 * An endpoint without an attempt for this long had no open delivery: more than the longest delay between two attempts.
 * The time before does not count towards {@link FAILING_LIMIT_SECONDS}.
 */
export const IDLE_SECONDS = 48 * HOUR;

/** The next event of a resource waits at most this long for the one before it. */
const ORDER_WAIT_SECONDS = 60;

/**
 * When the attempt after `attempt` is made; null after the last. `Retry-After` can only lengthen the scheduled delay.
 */
export function nextAttemptAt(
  attempt: number,
  endedAt: string,
  jitterPermille: number,
  retryAfterSeconds: number | null,
): string | null {
  const delay = DELAYS_SECONDS[attempt];
  if (delay === undefined) return null;
  const retryAfter = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  const scheduledMs = delay * (1000 + jitterPermille);
  return isoTime(fromIso(endedAt) + Math.max(scheduledMs, retryAfter * 1000));
}

/**
 * The jitter in permille, within ±{@link JITTER_PERMILLE}. It is always the same for the same attempt of a delivery.
 */
export function jitterOf(deliveryId: string, attempt: number): number {
  const drawn = Number.parseInt(derivedId('delivery-jitter', deliveryId, String(attempt)).slice(0, 8), 16);
  return (drawn % (2 * JITTER_PERMILLE + 1)) - JITTER_PERMILLE;
}

/** When a delivery stops waiting for the one before it. */
export const orderWaitEnds = (scheduledAt: string): string => addSeconds(scheduledAt, ORDER_WAIT_SECONDS);

/** Parses a `Retry-After` header: a number of seconds, or an HTTP date relative to `nowMs`. Null when it is neither. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null || header.length > 40) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)
    ? Date.parse(header)
    : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
