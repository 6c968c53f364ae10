import { fromIso, parseInstant } from '@ponte/kernel';

/** Prints a text; the line end is added. */
export type Print = (text: string) => void;

type Row = Readonly<Record<string, unknown>>;

/**
 * Prints rows under a heading, as columns for people or as JSON for programs. Every row has the same fields; `shown`
 * selects and formats those for people.
 */
export function printRows<One extends Row>(
  print: Print,
  rows: readonly One[],
  options: { readonly json?: boolean; readonly none: string; readonly shown?: (row: One) => Row },
): void {
  if (options.json) return print(JSON.stringify(rows, null, 2));
  const shown = rows.map<Row>(options.shown ?? ((row) => row));
  const [first] = shown;
  if (!first) return print(options.none);
  const names = Object.keys(first);
  const titles = names.map((name) => name.replaceAll('-', ' ').toUpperCase());
  for (const line of columns([titles, ...shown.map((row) => names.map((name) => text(row[name])))])) print(line);
}

/** The time since `iso`, in the largest unit of which at least two have passed. */
export function age(iso: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - fromIso(iso)) / 1_000));
  const [unit, length] = UNITS.find(([, one]) => seconds >= 2 * one) ?? ['s', 1];
  return `${Math.floor(seconds / length)} ${unit}`;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** The distance with its unit, for people; of a reader of another source, the age of its position. */
export function withUnit<Row extends { readonly position: string | null; readonly behind: number | null }>(
  row: Row,
  now: number,
): Omit<Row, 'behind'> & { readonly behind: string | null } {
  const { position, behind: distance } = row;
  if (distance !== null)
    return { ...row, behind: `${distance.toLocaleString('en-US')} ${position?.includes(':') ? 'bytes' : 'events'}` };
  return { ...row, behind: parseInstant(position ?? '') === undefined ? null : age(position ?? '', now) };
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
