import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { addSeconds, Unavailable } from '@ponte/kernel';
import { READ_MODELS } from '@ponte/nest';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { DeliveriesSchema } from '../deliveries/deliveries.read-model';
import type { JournalRow, JournalSchema } from './journal.read-model';
import { JournaledStore } from './journaled-store.service';

/** A journal event without its content. */
export type JournalKey = Pick<JournalRow, 'delivery_id' | 'revision' | 'at'>;

/** Journal events per page. A walk reads one page per statement, so that no statement depends on the history's size. */
export const JOURNAL_PAGE = 1_000;
/** Every open delivery has an event that is newer than this, in seconds. */
export const OPEN_SECONDS = 7 * 86_400;
const TOGETHER = 64;

/** A walk over the journal, page by page. */
interface Walk {
  /** Only events from this time on (ISO 8601), in the order of time. Otherwise all events, delivery by delivery. */
  readonly since?: string;
  /** The event after which the walk begins. */
  readonly after?: JournalKey;
  /** The most pages; unlimited by default. */
  readonly pages?: number;
  readonly signal?: AbortSignal;
  /** Called after each page with its last event, which is undefined if the page is empty. */
  readonly passed?: (last: JournalKey | undefined, isEnd: boolean) => void;
}

type Schema = DeliveriesSchema & JournalSchema;

/**
 * Rewrites rows of deliveries that are missing or behind the journal, after a crash, a failed write or a rebuild of the
 * read model.
 */
@Injectable()
export class RowSettler {
  private readonly db: Kysely<Schema>;

  constructor(
    private readonly journal: JournaledStore,
    @Inject(READ_MODELS) readModels: Kysely<unknown>,
  ) {
    this.db = readModels as Kysely<Schema>;
  }

  /**
   * Rewrites the rows that are behind the events of a walk. A delivery that cannot be read does not keep the others
   * from being rewritten; its error is thrown at the end. While the database is unavailable, the walk ends at once.
   */
  async settle({ since, after, pages = Infinity, signal, passed }: Walk = {}): Promise<void> {
    const failures: unknown[] = [];
    let last = after;
    for (let page = 0; page < pages && !signal?.aborted; page += 1) {
      const keys = await this.page(since, last);
      await this.rewrite(await this.behind(keys), failures);
      last = keys.at(-1) ?? last;
      const isEnd = keys.length < JOURNAL_PAGE;
      passed?.(keys.at(-1), isEnd);
      if (isEnd) break;
      // A read of the embedded database does not yield to the event loop.
      await nextTurn();
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Rewrites all rows that are behind, first those of deliveries that may be open, whose next attempts wait for it. */
  async settleAll(): Promise<void> {
    const { newest } = await this.db
      .selectFrom('webhook_delivery_journal')
      .select(({ fn }) => fn.max('at').as('newest'))
      .executeTakeFirstOrThrow();
    if (newest !== null) await this.settle({ since: addSeconds(newest, -OPEN_SECONDS) });
    await this.settle();
  }

  private async page(since: string | undefined, after: JournalKey | undefined): Promise<JournalKey[]> {
    const all = this.db.selectFrom('webhook_delivery_journal').select(['delivery_id', 'revision', 'at']);
    const rows = await (since === undefined ? byDelivery(all, after) : byTime(all, since, after))
      .limit(JOURNAL_PAGE)
      .execute();
    // PostgreSQL's driver gives a bigint as text.
    return rows.map((row) => ({ ...row, revision: Number(row.revision) }));
  }

  /** The highest of these revisions per delivery, for deliveries whose rows are missing or have a lower one. */
  private async behind(keys: readonly JournalKey[]): Promise<[deliveryId: string, revision: number][]> {
    const highest = new Map<string, number>();
    for (const { delivery_id, revision } of keys)
      highest.set(delivery_id, Math.max(revision, highest.get(delivery_id) ?? 0));
    if (highest.size === 0) return [];
    const rows = await this.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'revision'])
      .where('id', 'in', [...highest.keys()])
      .execute();
    const shown = new Map(rows.map(({ id, revision }) => [id, Number(revision)]));
    return [...highest].filter(([id, revision]) => (shown.get(id) ?? -1) < revision);
  }

  private async rewrite(behind: readonly [deliveryId: string, revision: number][], failures: unknown[]): Promise<void> {
    for (let at = 0; at < behind.length; at += TOGETHER) {
      const together = behind.slice(at, at + TOGETHER);
      if (await this.shown(together, [])) continue;
      for (const one of together) await this.shown([one], failures);
    }
  }

  /** False if these rows could not be written, unless the database is unavailable: then it throws. */
  private async shown(rows: readonly [string, number][], failures: unknown[]): Promise<boolean> {
    try {
      await this.journal.showAgain(rows);
      return true;
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      failures.push(error);
      return false;
    }
  }
}

type Keys = SelectQueryBuilder<Schema, 'webhook_delivery_journal', JournalKey>;

/** In the order of the primary key. */
function byDelivery(keys: Keys, after: JournalKey | undefined): Keys {
  const from =
    after === undefined
      ? keys
      : keys.where(sql<boolean>`(delivery_id, revision) > (${after.delivery_id}, ${after.revision})`);
  return from.orderBy('delivery_id').orderBy('revision');
}

/**
 * In the order of the index on `at`; events of the same time are sorted. `NOT`, because a planner that multiplies the
 * chances of two comparisons of `at` expects few rows, and then reads all of them before it sorts.
 */
function byTime(keys: Keys, since: string, after: JournalKey | undefined): Keys {
  const from = after
    ? keys
        .where('at', '>=', after.at)
        .where(
          sql<boolean>`NOT (at = ${after.at} AND (delivery_id, revision) <= (${after.delivery_id}, ${after.revision}))`,
        )
    : keys.where('at', '>=', since);
  return from.orderBy('at').orderBy('delivery_id').orderBy('revision');
}
