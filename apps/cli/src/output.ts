/** The standard output and standard error of a command. */
export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | boolean | null | undefined;
}

const GAP = '  ';

/** Writes results: tables and sentences for people, or only JSON for programs. */
export class Output {
  constructor(
    readonly json: boolean,
    private readonly streams: Streams,
  ) {}

  /** Writes a single result. */
  result(value: unknown, human: () => string): void {
    this.streams.out(this.json ? `${JSON.stringify(value, null, 2)}\n` : `${human()}\n`);
  }

  /** Writes one result of a stream; as JSON, one line each. */
  line(value: unknown, human: () => string): void {
    this.streams.out(this.json ? `${JSON.stringify(value)}\n` : `${human()}\n`);
  }

  /**
   * Writes a note to standard error, so that standard output contains only results and can be piped. As JSON, it is one
   * line with the text and `values`.
   */
  note(text: string, values: Readonly<Record<string, unknown>> = {}): void {
    this.streams.err(`${this.json ? JSON.stringify({ note: text, ...values }) : text}\n`);
  }
}

/** Formats a table with titles in capital letters, or returns `empty` if there are no rows. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string): string {
  if (rows.length === 0) return empty;
  const cells = [
    columns.map(({ title }) => title.toUpperCase()),
    ...rows.map((row) => columns.map((column) => printable(column.of(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

/** Formats names and values, one per line. Undefined values are left out. */
export function fields(values: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(width)}${GAP}${printable(value)}`).join('\n');
}

/** Replaces control characters, which could move the cursor of a terminal. */
export const printable = (value: unknown): string => {
  const text =
    value === null || value === undefined ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}/gu, '?');
};
