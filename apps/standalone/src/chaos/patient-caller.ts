import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '../e2e/testing/client';

/**
 * Waits before a request is sent again, doubling from the one to the other, and half of it at random; never shorter
 * than `Retry-After`.
 */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** Longer than any outage that a test allows, and than the 30 s of a locked key. */
export const PATIENCE_MS = 240_000;
/** Heard when a retry makes sense: the first try still runs, too many, or the service is not there. */
const RETRIED = new Set([409, 429, 502, 503]);

/** Tries that had no answer, or one that asks for another try. */
export interface Retries {
  unanswered: number;
  busy: number;
}

/** Sends a request again and again until it has a final answer, as a partner does. */
export class PatientCaller {
  readonly retries: Retries = { unanswered: 0, busy: 0 };

  /** Rejects when there is no final answer in time. */
  async insist<T>(send: () => Promise<Answer<T>>): Promise<Answer<T>> {
    for (let [end, tries] = [Date.now() + PATIENCE_MS, 0]; ; tries += 1) {
      const { answer, problem } = await attempt(send);
      if (answer && !RETRIED.has(answer.status)) return answer;
      if (answer) this.retries.busy += 1;
      else this.retries.unanswered += 1;
      if (Date.now() > end) throw new Error(`gave up: ${answer?.text ?? problem}`);
      const backOff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      const asked = Number(answer?.headers['retry-after'] ?? 0) * 1_000;
      await wait(Math.max(asked, backOff / 2) + (Math.random() * backOff) / 2);
    }
  }
}

/** What the connection throws is an error, but not always of this realm's class. */
const attempt = <T>(
  send: () => Promise<Answer<T>>,
): Promise<{ readonly answer?: Answer<T>; readonly problem?: string }> =>
  send().then(
    (answer) => ({ answer }),
    (error: { readonly message?: string }) => ({ problem: String(error.message) }),
  );
