/** A value that is often there at once: a promise per step would cost more than the steps. */
export type MaybeLater<T> = T | Promise<T>;

export const andThen = <T, R>(value: MaybeLater<T>, next: (value: T) => MaybeLater<R>): MaybeLater<R> =>
  value instanceof Promise ? value.then(next) : next(value);
