import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';

const DEFAULT_PAGE = 50;
/** The largest page of the staff API. */
export const LARGEST_PAGE = 200;

export interface PageFlags {
  readonly limit: number;
  readonly cursor?: string;
}

/** Adds the options of a list that is printed page by page. */
export const paged = (command: Command): Command =>
  command
    .option('--limit <count>', `1 to ${LARGEST_PAGE}`, pageSize, DEFAULT_PAGE)
    .option('--cursor <text>', 'where the previous list ended');

/** The query of a page, with the filters that have a value. */
export function pageQuery(
  { limit, cursor }: PageFlags,
  filters: Readonly<Record<string, string | undefined>> = {},
): string {
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries({ ...filters, cursor })) if (value !== undefined) query.set(name, value);
  return query.toString();
}

function pageSize(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_PAGE)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${LARGEST_PAGE}.`);
  return limit;
}
