import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { columns } from '@ponte/operator';

/**
 * One figure. `reference` was measured in the same run, `target` is the requirement of the specification, and `met`
 * says whether it was met.
 */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly reference?: number;
  readonly referenceName?: string;
  readonly target?: string;
  readonly met?: boolean;
}

const text = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2));

export function print(rows: readonly Row[]): void {
  const lines = rows.map((row) => [
    row.name,
    text(row.value),
    row.reference === undefined ? '' : `${text(row.reference)} ${row.referenceName ?? ''}`,
    row.reference === undefined ? '' : `${(row.value / row.reference).toFixed(2)}x`,
    row.target === undefined ? '' : `${row.met ? 'met' : 'MISSED'}: ${row.target}`,
  ]);
  for (const line of columns([['figure', 'Ponte', 'reference', 'ratio', 'target'], ...lines]))
    process.stdout.write(`${line}\n`);
}

/**
 * Writes the figures with the machine's CPU and load, since absolute rates mean little without them. Returns the file.
 */
export function store(rows: readonly Row[], folder: string): string {
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `bench-${at.replaceAll(':', '-')}.json`);
  writeFileSync(
    file,
    `${JSON.stringify({ at, node: process.version, cores: cpus().length, cpu: cpus()[0]?.model, loadAverage: loadavg(), rows }, null, 2)}\n`,
  );
  return file;
}
