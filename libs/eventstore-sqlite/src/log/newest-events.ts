import { setImmediate as immediately } from 'node:timers/promises';
import type { NewestOptions, Recorded } from '@ponte/event-sourcing';

/** Positions that one page takes in. */
const PAGE = 4_096;

/** Events from position `start` to before `end`, the last first. */
type PageBackwards = (start: number, end: number, limit: number) => readonly Recorded[];

/** The last events before a position, page by page, so that other work has its turn however rare the events are. */
export async function newestEvents(
  page: PageBackwards,
  last: number,
  { limit, before }: NewestOptions,
): Promise<Recorded[]> {
  const found: Recorded[] = [];
  let end = before === undefined ? last + 1 : Math.min(Number(before), last + 1);
  while (found.length < limit && end > 1) {
    const start = Math.max(1, end - PAGE);
    found.push(...page(start, end, limit - found.length));
    end = start;
    await immediately();
  }
  return found;
}
