import { isoTime, lruCache } from '@ponte/kernel';
import type { DueCursor, DueKind, DueRequest, ReviewQueue } from '../review/review-queue.read-model';

/** How many due requests are read at a time. */
const PAGE = 5_000;
/** How many requests a timer remembers. One that was forgotten counts as not tried yet. */
export const REMEMBERED = 10 * PAGE;
/** How long a request rests after its first, second … try that left it due, in milliseconds. The last one repeats. */
const RESTS_MS = [30_000, 60_000, 5 * 60_000, 15 * 60_000] as const;

interface Tries {
  /** How many tries have ended since the request became due. */
  readonly ended: number;
  /** When the last try began or ended. */
  readonly lastAt: number;
  /** Infinity while a try is in progress. */
  readonly restsUntil: number;
}

/**
 * The order in which a timer tries due requests. However many are due, each gets its turn: those of every partner
 * alternate, those of one partner come in the order of their last try, and what is still due after a try rests, longer
 * each time. Kept in memory: the next process begins again.
 */
export class DueTurns {
  private readonly tries = lruCache<string, Tries>(REMEMBERED);
  private cursor: DueCursor | null = null;

  constructor(
    private readonly queue: Pick<ReviewQueue, 'due'>,
    private readonly kind: DueKind,
  ) {}

  /** The next page of due requests that do not rest. After the last page, the first one follows. */
  async next(now: number): Promise<DueRequest[]> {
    const page = await this.queue.due({ kind: this.kind, now: isoTime(now), after: this.cursor, limit: PAGE });
    this.cursor = page.length < PAGE ? null : (page.at(-1) ?? null);
    const ready = page.filter((one) => (this.tries.get(keyOf(one))?.restsUntil ?? 0) <= now);
    const lastAt = (one: DueRequest): number => this.tries.get(keyOf(one))?.lastAt ?? 0;
    return alternating(ready.sort((a, b) => lastAt(a) - lastAt(b)));
  }

  /** Whether a try of the request has ended, as far as this process remembers. */
  hasTried(one: DueRequest): boolean {
    return (this.tries.get(keyOf(one))?.ended ?? 0) > 0;
  }

  /** A try begins. Until it ends, the request is not due. */
  begin(one: DueRequest, now: number): void {
    this.tries.set(keyOf(one), { ended: this.endedOf(one), lastAt: now, restsUntil: Infinity });
  }

  /** A try has ended, whether or not it failed. If the request is still due, it rests from now on. */
  end(one: DueRequest, now: number): void {
    const ended = this.endedOf(one);
    const rest = RESTS_MS[Math.min(ended, RESTS_MS.length - 1)] as number;
    this.tries.set(keyOf(one), { ended: ended + 1, lastAt: now, restsUntil: now + rest });
  }

  private endedOf(one: DueRequest): number {
    return this.tries.get(keyOf(one))?.ended ?? 0;
  }
}

/** A request that becomes due at another time is new work. */
export const keyOf = ({ id, dueAt }: DueRequest): string => `${id} ${dueAt}`;

/** The first request of each partner, then the second of each, and so on. */
function alternating(requests: readonly DueRequest[]): DueRequest[] {
  const counts = new Map<string, number>();
  const ranked = requests.map((one) => {
    const rank = counts.get(one.parentId) ?? 0;
    counts.set(one.parentId, rank + 1);
    return { one, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
}
