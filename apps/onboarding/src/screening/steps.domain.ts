/**
 * Work in steps of about a tenth of a millisecond to some milliseconds each, so that the caller can yield to other work
 * in between. It returns its result with the last step.
 */
export type Steps<T> = Generator<void, T, void>;

/** All at once. */
export function drained<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
