/** The number of items processed concurrently. */
const WIDTH = 16;

/** Processes all items with bounded parallelism. A failed item is reported to `failed` and does not stop the others. */
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
