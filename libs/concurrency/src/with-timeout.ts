/** There was no response in time. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
  constructor(ms: number) {
    super(`no response within ${ms} ms`);
  }
}

/** Returns the work's result or throws {@link TimedOut}. The work itself continues and its result is ignored. */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimedOut(ms)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
