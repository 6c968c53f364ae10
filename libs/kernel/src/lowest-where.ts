/**
 * The lowest integer from 0 on that passes the test; `high` if no lower one passes. The test must hold for every
 * integer above one that passes. Calls the test about log2(high) times.
 */
export async function lowestWhere(high: number, holds: (at: number) => Promise<boolean>): Promise<number> {
  let [from, to] = [0, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
