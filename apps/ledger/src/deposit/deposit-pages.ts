import type { Page } from '@ponte/contracts';

interface Row {
  readonly id: string;
  readonly created_at: string;
}

/** Merges the pages of several queries with the same page request into one page. */
export function mergedPage<R extends Row>(pages: readonly Page<R>[], limit: number): Page<R> {
  const rows = pages.flatMap(({ items }) => items).sort(newestFirst);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit || pages.some(({ next }) => next !== null);
  return { items, next: more && last ? { createdAt: last.created_at, id: last.id } : null };
}

const newestFirst = (a: Row, b: Row): number =>
  a.created_at === b.created_at ? compare(b.id, a.id) : compare(b.created_at, a.created_at);
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
