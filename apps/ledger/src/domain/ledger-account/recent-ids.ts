import { VersionedMap } from './versioned-map';

interface Span {
  /** Epoch milliseconds of the first id in it. */
  readonly since: number;
  readonly ids: VersionedMap<true>;
}

/** A command is refused by its deadline long before this; older ids are forgotten so that the state stays small. */
export const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;
/** Ids go by the span, whole: six look-ups at most, and nobody pays for the forgetting of single ids. */
const SPAN_MS = REMEMBERED_MS / 5;

/** What has been done once in the last 30 days at least, and is not done again. Immutable. */
export class RecentIds {
  static readonly none = new RecentIds([]);

  private constructor(private readonly spans: readonly Span[]) {}

  has(id: string): boolean {
    return this.spans.some(({ ids }) => ids.has(id));
  }

  /** `now` is when it was done, in epoch milliseconds; times that go backwards a little do no harm. */
  with(id: string, now: number): RecentIds {
    const last = this.spans.at(-1);
    if (last && now - last.since < SPAN_MS) return new RecentIds([...this.spans.slice(0, -1), { since: last.since, ids: last.ids.with(id, true) }]);
    const kept = this.spans.filter(({ since }) => now - since <= REMEMBERED_MS + SPAN_MS);
    return new RecentIds([...kept, { since: now, ids: VersionedMap.empty<true>().with(id, true) }]);
  }
}
