import type { ErrorCode } from './errors';

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
const MS_PER_SECOND = 1_000;

/** Statuses for which another attempt may succeed. A write is repeated with the same key. */
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504]);

/** The credentials were checked and are wrong, unlike with the other codes of status 429. */
const WRONG_CREDENTIALS: ErrorCode = 'too-many-failed-authentications';

/** True for a response after which a retry may succeed. */
export const isTransient = (status: number, code: string): boolean =>
  (TRANSIENT.has(status) && code !== WRONG_CREDENTIALS) || (status === 409 && code === 'idempotency-in-progress');

/**
 * Milliseconds before attempt `attempt` + 1 (from 0): doubling with full jitter, so that clients that failed together
 * do not retry together. The delay requested by the server is a lower bound.
 */
export function delayBefore(attempt: number, retryAfterMs: number | null, random: () => number = Math.random): number {
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  const jitter = random() * ceiling;
  return retryAfterMs === null ? jitter : retryAfterMs + random() * FIRST_DELAY_MS;
}

/** `Retry-After` in milliseconds, given as seconds or an HTTP date. Null if it is absent or invalid. */
export function retryAfterOf(headers: Headers, now: number = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * MS_PER_SECOND;
  const at = /^[a-z]{3}/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Waits, or rejects with the signal's reason as soon as the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
