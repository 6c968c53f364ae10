/**
 * Work in steps of about 0.1 ms to a few milliseconds each, so that the caller can yield to other work in between. The
 * last step returns the result.
 */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps at once. */
export function drained<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
