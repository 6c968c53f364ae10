import { each } from '@ponte/concurrency';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { BankPage, BankWindow } from './bank-window';

/** Pages read in one round. A longer window continues in the next round. */
export const PAGES_PER_ROUND = 1_000;
/** With this many failing entries no further page is read until some of them succeed. Bounds the memory. */
export const MAX_FAILING = 1_000;
/** Tolerance for a bank clock that is ahead of ours. */
const AHEAD_MS = 60_000;

/** A list of the bank, and what is done with each of its entries. */
export interface BankList {
  readonly page: (window: BankWindow) => Promise<BankPage>;
  /** Must change nothing for an entry that it has already recorded. */
  readonly record: (id: string) => Promise<unknown>;
}

/** The input of one round: the lists of the reader, always in the same order, and the listener for failures. */
export interface Round {
  readonly lists: readonly BankList[];
  readonly clock: Clock;
  /** The longest window that the bank lists, in milliseconds. A longer one is read in periods. */
  readonly periodMs: number;
  readonly failed: (error: unknown, id: string) => void;
  /** Called when the lists were read to their end. */
  readonly ended?: () => void;
}

/** An entry that could not be recorded, and when this was first tried. */
interface Failing {
  readonly list: number;
  readonly id: string;
  readonly since: number;
}

/** A window that has not been read to its end: the period, list and page to read next. */
interface Unfinished {
  readonly began: number;
  /** The period. */
  readonly from: number;
  readonly to: number;
  /** Where the window ends, after its last period. */
  readonly end: number;
  readonly list: number;
  readonly page: number;
  /** The entries of the page before. */
  readonly before: string;
}

/**
 * How far one process has read a reader's lists. Reading goes on from there while failed entries are tried again in
 * each round. All of it is lost with the process, so only {@link complete} may be stored as the reader's checkpoint.
 */
export class BankReading {
  private readonly failing = new Map<string, Failing>();
  private unfinished: Unfinished | undefined;
  /** When the last read of the lists ended; undefined before this process has read them. */
  private ended: number | undefined;

  constructor(
    /** The fence of the lease under which the bank is read. */
    readonly fence: number,
    /** The time up to which the lists were read, in milliseconds. */
    private position: number,
    /** How long after its own time an entry may still appear at the bank, in milliseconds. */
    private readonly overlapMs: number,
  ) {}

  /** The time up to which every entry is recorded; undefined while one fails. */
  get complete(): number | undefined {
    return this.failing.size === 0 ? this.position : undefined;
  }

  /**
   * Whether the lists are read now if `everyMs` milliseconds lie between the end of a read and the next one. A time in
   * the future is always due: it was noted by a process whose clock was ahead.
   */
  isDue(now: number, everyMs: number): boolean {
    const { position, ended = position } = this;
    return now < position || now < ended || now - ended >= everyMs;
  }

  /**
   * How many entries fail, for how long the oldest has failed, and how old the position is. A position in the future
   * counts like one that is as far in the past: neither says that the lists were read.
   */
  measured(now: number): { readonly failing: number; readonly oldestMs: number; readonly ageMs: number } {
    const oldest = [...this.failing.values()].reduce((least, { since }) => Math.min(least, since), now);
    return { failing: this.failing.size, oldestMs: now - oldest, ageMs: Math.abs(now - this.position) };
  }

  /** Tries the failed entries again. */
  retry(round: Round): Promise<void> {
    return this.record([...this.failing.values()], round);
  }

  /** Tries the failed entries again and reads on. Throws if a list cannot be read; the next round repeats that page. */
  async round(round: Round): Promise<void> {
    await this.retry(round);
    for (let pages = 0; pages < PAGES_PER_ROUND && this.failing.size < MAX_FAILING; pages += 1) {
      const at = this.unfinished ?? this.begin(round);
      this.unfinished = at;
      const list = round.lists[at.list];
      if (!list) throw new RangeError(`the reader has no list ${at.list}`);
      const window = { from: isoTime(at.from), to: isoTime(at.to), page: at.page };
      const { ids, lastPage, listed = ids } = await list.page(window);
      const entries = listed.join(' ');
      if (!lastPage && entries !== '' && entries === at.before) {
        this.unfinished = undefined;
        throw new Error(`the bank returned the same entries on page ${at.page} as on the previous page`);
      }
      const unknown = ids.filter((id) => !this.failing.has(keyOf(at.list, id)));
      await this.record(
        unknown.map((id) => ({ list: at.list, id, since: round.clock.now() })),
        round,
      );
      this.unfinished = lastPage
        ? { ...at, list: at.list + 1, page: 0, before: '' }
        : { ...at, page: at.page + 1, before: entries };
      if (this.unfinished.list < round.lists.length) continue;
      if (at.to < at.end) {
        this.unfinished = period({ began: at.began, from: at.to, end: at.end }, round.periodMs);
        continue;
      }
      this.position = at.began;
      this.ended = round.clock.now();
      round.ended?.();
      this.unfinished = undefined;
      return;
    }
  }

  private begin({ clock, periodMs }: Round): Unfinished {
    const now = clock.now();
    const from = Math.min(this.position, now) - this.overlapMs;
    return period({ began: now, from, end: now + AHEAD_MS }, periodMs);
  }

  private record(entries: readonly Failing[], { lists, failed }: Round): Promise<void> {
    const attempt = async ({ list, id }: Failing): Promise<void> => {
      await lists[list]?.record(id);
      this.failing.delete(keyOf(list, id));
    };
    return each(entries, attempt, (error, entry) => {
      this.failing.set(keyOf(entry.list, entry.id), entry);
      failed(error, entry.id);
    });
  }
}

/** The period of the window that begins at `from`. */
const period = (window: Pick<Unfinished, 'began' | 'from' | 'end'>, periodMs: number): Unfinished => ({
  ...window,
  to: Math.min(window.end, window.from + periodMs),
  list: 0,
  page: 0,
  before: '',
});

const keyOf = (list: number, id: string): string => `${list} ${id}`;
