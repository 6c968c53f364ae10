/** Nothing came in time. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
  constructor(ms: number) {
    super(`no response within ${ms} ms`);
  }
}

/** The work's result, or {@link TimedOut}. What the work does afterwards is no one's concern. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimedOut(ms)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
