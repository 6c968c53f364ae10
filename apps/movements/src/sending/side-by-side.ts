import type { SenderParts } from './sender-parts';

/** All of them side by side; one that fails does not take the others along, and is logged. */
export async function sideBySide<T, R>(
  { logger, served }: Pick<SenderParts, 'logger' | 'served'>,
  items: readonly T[],
  work: (item: T) => Promise<R[]>,
): Promise<R[]> {
  const done = await Promise.allSettled(items.map(work));
  const failed = done.filter((one) => one.status === 'rejected');
  const [first] = failed;
  if (first)
    logger.warn(
      { err: first.reason as unknown, failed: failed.length, chain: served.evm.chain },
      'a step of sending failed; the next round repeats it',
    );
  return done.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}
