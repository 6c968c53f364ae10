import { pause } from '@ponte/concurrency';

/** Between two tries: what does not take a record now is out of order for longer than a moment. */
const AGAIN_MS = 500;

/** Repeats work that may be repeated until it succeeds. Rejects when it fails after the signal. */
export async function untilDone<T>(
  work: () => Promise<T>,
  stopping: AbortSignal,
  failed: (error: unknown) => void,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (stopping.aborted) throw error;
      failed(error);
      await pause(AGAIN_MS, stopping);
    }
  }
}
