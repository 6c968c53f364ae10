import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '../../e2e/testing/client';

/**
 * The wait before a retry. It doubles with each retry, half of it is random, and it is never shorter than
 * `Retry-After`.
 */
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 8_000;
/** Longer than any outage in a test, and than the 30 s for which a key stays locked. */
export const PATIENCE_MS = 240_000;
/**
 * Statuses after which a retry makes sense: the first attempt is still running, too many requests, or the service is
 * unavailable.
 */
const RETRIED = new Set([409, 429, 502, 503]);

/** The number of attempts without a response, and of those answered with a status in {@link RETRIED}. */
export interface Retries {
  unanswered: number;
  busy: number;
}

/** Repeats a request until it has a final answer, as a partner does. */
export class PatientCaller {
  readonly retries: Retries = { unanswered: 0, busy: 0 };

  /** Rejects if there is no final answer in time. */
  async insist<T>(send: () => Promise<Answer<T>>): Promise<Answer<T>> {
    for (let [end, tries] = [Date.now() + PATIENCE_MS, 0]; ; tries += 1) {
      const { answer, problem } = await attempt(send);
      if (answer && !RETRIED.has(answer.status)) return answer;
      if (answer) this.retries.busy += 1;
      else this.retries.unanswered += 1;
      if (Date.now() > end) throw new Error(`gave up: ${answer?.text ?? problem}`);
      const backOff = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      const retryAfterMs = Number(answer?.headers['retry-after'] ?? 0) * 1_000;
      await wait(Math.max(retryAfterMs, backOff / 2) + (Math.random() * backOff) / 2);
    }
  }
}

/** Errors of the connection are not always instances of this realm's `Error`, so they are not checked by class. */
const attempt = <T>(
  send: () => Promise<Answer<T>>,
): Promise<{ readonly answer?: Answer<T>; readonly problem?: string }> =>
  send().then(
    (answer) => ({ answer }),
    (error: { readonly message?: string }) => ({ problem: String(error.message) }),
  );
