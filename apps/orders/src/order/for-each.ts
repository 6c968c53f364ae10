/** How many are worked on at once. */
const WIDTH = 16;

/** Works through all items, some at once; one that fails does not keep the others. */
export async function forEach<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  failed: (error: unknown, item: T) => void,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item).catch((error: unknown) => failed(error, item));
  };
  await Promise.all(Array.from({ length: Math.min(WIDTH, items.length) }, worker));
}
