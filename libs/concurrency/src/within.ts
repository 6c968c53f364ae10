import { pause } from './timers';

/** Waits for something to end, well or badly, but no longer than so many milliseconds. */
export async function within(ms: number, ending: Promise<unknown> | undefined): Promise<void> {
  if (!ending) return;
  const over = new AbortController();
  const late = pause(ms, over.signal, { ref: false });
  await Promise.race([
    ending.then(
      () => undefined,
      () => undefined,
    ),
    late,
  ]);
  over.abort();
}
