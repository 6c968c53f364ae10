/** Prints a text; the line end is added. */
export type Print = (text: string) => void;

/** Prints rows under a heading, as columns for people or as JSON for programs. Every row has the same members. */
export function printRows(
  print: Print,
  rows: readonly Readonly<Record<string, unknown>>[],
  { json, none }: { readonly json?: boolean; readonly none: string },
): void {
  if (json) return print(JSON.stringify(rows, null, 2));
  const [first] = rows;
  if (!first) return print(none);
  const names = Object.keys(first);
  for (const line of columns([names, ...rows.map((row) => names.map((name) => text(row[name])))])) print(line);
}

/** Formats rows of cells as lines, in columns as wide as their widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const text = (value: unknown): string =>
  value === null || value === undefined ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value);
