import { pause } from './retry';

/** Waits until a promise settles, but at most this many milliseconds. Never rejects. */
export async function settledWithin(ms: number, ending: Promise<unknown> | undefined): Promise<void> {
  if (!ending) return;
  const over = new AbortController();
  const late = pause(ms, over.signal, { ref: false });
  await Promise.race([ending.catch(() => undefined), late]);
  over.abort();
}
