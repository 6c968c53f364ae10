import { pause } from './timers';

/**
 * Milliseconds before each further try; the last is repeated. Short at first, since most failures are a connection that
 * was lost; never longer than a second, so that work goes on soon after an outage.
 */
export const RETRY_DELAYS: readonly number[] = [20, 50, 100, 250, 500, 1_000];

const JITTER = 0.25;

/** Up to a quarter shorter or longer, at random: what failed together is not tried again together. */
export const withJitter = (ms: number, random: () => number = Math.random): number =>
  ms * (1 + JITTER * (2 * random() - 1));

/** Milliseconds to wait after so many failures in a row, the first being 1: the entry of the table, with jitter. */
export function retryDelay(failures: number, delays = RETRY_DELAYS, random: () => number = Math.random): number {
  return withJitter(delays[Math.min(failures, delays.length) - 1] ?? 0, random);
}

export interface RetryOptions {
  /** Milliseconds before each further try; the last is repeated. {@link RETRY_DELAYS} by default. */
  readonly delays?: readonly number[];
  /** No try begins later than so many milliseconds after the first one. For ever by default. */
  readonly patienceMs?: number;
  /** Ends a pause: the work is tried once more, and its failure is then final. */
  readonly signal?: AbortSignal;
  /** False when the error is final. `failures` counts from 1. Every error is tried again by default. */
  readonly shouldRetry?: (error: unknown, failures: number) => boolean;
  /** Called before each pause, for the log. */
  readonly onRetry?: (error: unknown, failures: number) => void;
  /** False when a pause must not keep the process alive. True by default. */
  readonly ref?: boolean;
}

/**
 * Runs `work`, which must be repeatable, until it succeeds, and answers its result. Rejects with the last error when
 * that is final, when patience is over, or when the signal has aborted.
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { delays, patienceMs = Infinity, signal, shouldRetry = () => true, onRetry, ref } = options;
  const begun = performance.now();
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || !shouldRetry(error, failures)) throw error;
      const delay = retryDelay(failures, delays);
      if (performance.now() - begun + delay >= patienceMs) throw error;
      onRetry?.(error, failures);
      await pause(delay, signal, { ref });
    }
  }
}
