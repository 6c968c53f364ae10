/**
 * The lowest integer from `low` on for which the test holds; `high` when it holds for none below that. The test must
 * hold for every integer above one for which it holds. Asks about log2(high - low) integers.
 */
export async function lowestWhere(low: number, high: number, holds: (at: number) => Promise<boolean>): Promise<number> {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
