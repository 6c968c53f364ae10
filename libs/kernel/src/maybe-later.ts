/**
 * A value that is often there at once: a promise per step would cost more than the steps. What fails at once is thrown.
 */
export type MaybeLater<T> = T | Promise<T>;

export const andThen = <T, R>(value: MaybeLater<T>, next: (value: T) => MaybeLater<R>): MaybeLater<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** For callers that need a promise in any case. */
export function promised<T>(work: () => MaybeLater<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    // As it was thrown, whatever it is.
    return new Promise((_, reject) => {
      reject(error);
    });
  }
}
