/** Commands in flight at once: enough to share a commit, few enough not to crowd out API requests. */
const AT_ONCE = 16;

/**
 * Processes all items, 16 at once. A failed item is reported to `failed` and does not stop the others. Without
 * `failed`, the first failure is thrown after all items were processed.
 */
export async function each<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  failed?: (error: unknown, item: T) => void,
): Promise<void> {
  const failures: unknown[] = [];
  const report = failed ?? ((error: unknown) => failures.push(error));
  const left = items.values();
  const worker = async () => {
    for (const item of left) {
      try {
        await work(item);
      } catch (error) {
        report(error, item);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
