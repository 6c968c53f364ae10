/** Commands in flight at once: enough to share a commit, few enough not to crowd out API requests. */
const AT_ONCE = 16;

/** Runs `work` for every item even if some fail, then throws the first failure. */
export async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const results = await Promise.allSettled(items.slice(at, at + AT_ONCE).map(work));
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
  }
  if (failures.length > 0) throw failures[0];
}
