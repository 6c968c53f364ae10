/** Waits, and returns at once when the signal aborts. With `ref` false, the wait does not keep the process alive. */
export function pause(milliseconds: number, signal?: AbortSignal, { ref = true } = {}): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', finish);
  });
}

/**
 * Delays before further attempts, in milliseconds; the last one is repeated. They start short, because most failures
 * are lost connections, and never exceed a second, so that work resumes soon after an outage.
 */
const RETRY_DELAYS: readonly number[] = [20, 50, 100, 250, 500, 1_000];

const JITTER = 0.25;

/** Changes a delay at random by up to a quarter, so that work that failed together is not retried together. */
export const withJitter = (ms: number, random: () => number = Math.random): number =>
  ms * (1 + JITTER * (2 * random() - 1));

/** The delay after this number of failures in a row (from 1), in milliseconds, with jitter. */
export function retryDelay(failures: number, delays = RETRY_DELAYS, random: () => number = Math.random): number {
  return withJitter(delays[Math.min(failures, delays.length) - 1] ?? 0, random);
}

interface RetryOptions {
  /** Delays before further attempts, in milliseconds; the last one is repeated. Default: {@link RETRY_DELAYS}. */
  readonly delays?: readonly number[];
  /** No attempt starts later than this many milliseconds after the first one. Default: no limit. */
  readonly patienceMs?: number;
  /** Ends the current delay. One more attempt follows, and its failure is final. */
  readonly signal?: AbortSignal;
  /** Returns false if the error is final. `failures` counts from 1. By default, every error is retried. */
  readonly shouldRetry?: (error: unknown, failures: number) => boolean;
  /** Called before each delay, for logging. */
  readonly onRetry?: (error: unknown, failures: number) => void;
  /** False if a delay must not keep the process alive. Default: true. */
  readonly ref?: boolean;
}

/**
 * Runs `work`, which must be repeatable, until it succeeds, and returns its result. Rejects with the last error if that
 * is final, if `patienceMs` has passed, or if the signal has aborted.
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
