/** Up to this many letters may be missing, added or different. */
const MAX_DIFFERENCES = 2;

/** The most similar of the names, if it is similar enough to be what was meant. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .filter((known) => Math.abs(known.length - name.length) <= MAX_DIFFERENCES)
    .map((known) => ({ known, differences: differencesOf(name, known) }))
    .filter(({ differences }) => differences <= MAX_DIFFERENCES)
    .sort((one, other) => one.differences - other.differences);
  return nearest?.known;
}

/** The Levenshtein distance. */
function differencesOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of [...other].entries())
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === otherLetter ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
