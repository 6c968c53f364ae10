/** Formats CSV as in RFC 4180: a header and one line per row. The fields of `columns` define the order. */
export function csvOf<T extends object>(columns: T, rows: readonly T[]): string {
  const names = Object.keys(columns) as (keyof T & string)[];
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}

/** A field with a comma, a quote or a line end is quoted. */
const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
