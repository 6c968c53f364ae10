import type { SenderParts } from './sender-parts';

/** Works on all items in parallel. Failures are logged and do not affect the other items. */
export async function inParallel<T, R>(
  { logger, served }: Pick<SenderParts, 'logger' | 'served'>,
  items: readonly T[],
  work: (item: T) => Promise<R[]>,
): Promise<R[]> {
  const results = await Promise.allSettled(items.map(work));
  const failed = results.filter((one) => one.status === 'rejected');
  const [first] = failed;
  if (first)
    logger.warn(
      { err: first.reason as unknown, failed: failed.length, chain: served.evm.chain },
      'a step of sending failed; the next round repeats it',
    );
  return results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}
