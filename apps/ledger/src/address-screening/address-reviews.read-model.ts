import type { OnModuleInit } from '@nestjs/common';
import type {
  AddressMatch,
  AddressReviewFilters,
  AddressReviewRecord,
  AddressSubjectKind,
  AddressVerdict,
  CountedMatches,
  Page,
  PageRequest,
  Timestamp,
  WaitingReviews,
} from '@ponte/contracts';
import type { ViewTable } from '@ponte/read-models';
import { createViewTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { verdictOf } from '../withdrawal/withdrawal-review';
import { matchOf } from './address-review.mapper';

export const ADDRESS_REVIEWS_TABLE = 'ledger_address_reviews';
const TABLE = ADDRESS_REVIEWS_TABLE;

interface Stored {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly kind: AddressSubjectKind;
  /** Null in a row of an earlier release until the view is rebuilt. */
  readonly account_id: string | null;
  /** What it ended with, and when; null while it waits. */
  readonly verdict: AddressVerdict | null;
  readonly decided_at: Timestamp | null;
  /** Null once it is decided, and of a withdrawal, which waits in its own table. */
  readonly waits_since: Timestamp | null;
  readonly record: AddressReviewRecord;
}

/** Every review of an address: those of withdrawals are shown here too, and wait in the table of withdrawals. */
export interface AddressReviewReadModel {
  /** A row never goes back to a lower revision. */
  put(review: AddressReviewRecord, revision: number): Promise<void>;
  /** As {@link put}, of different reviews. */
  putAll(rows: readonly (readonly [AddressReviewRecord, number])[]): Promise<void>;
  /** Those of anything but withdrawals that wait, the longest waiting first. */
  waiting(limit: number): Promise<readonly AddressReviewRecord[]>;
  /** How many of these wait, by kind. */
  counts(): Promise<readonly WaitingReviews[]>;
  /** Decided or not, newest first. */
  page(filters: AddressReviewFilters, page: PageRequest): Promise<Page<AddressReviewRecord>>;
  /** True matches of an account, newest decision first, and how many there are. */
  matches(
    accountId: string,
    limit: number,
  ): Promise<{ readonly matches: readonly AddressMatch[]; readonly total: number }>;
  /** True matches of all accounts, by kind. */
  countedMatches(): Promise<readonly CountedMatches[]>;
}

export const ADDRESS_REVIEW_READ_MODEL = Symbol('AddressReviewReadModel');

/** Reviews in the views' database: the record, and the columns that are searched by. */
export class KyselyAddressReviewReadModel implements AddressReviewReadModel, OnModuleInit {
  private readonly table: ViewTable<Stored>;
  private readonly db: Kysely<{ ledger_address_reviews: Stored }>;

  constructor(views: Kysely<unknown>) {
    this.db = views as unknown as Kysely<{ ledger_address_reviews: Stored }>;
    this.table = createViewTable<Stored>({
      db: views,
      table: TABLE,
      columns: {
        kind: 'text',
        account_id: 'text?',
        verdict: 'text?',
        decided_at: 'text?',
        waits_since: 'text?',
        record: 'json',
      },
      indices: [['waits_since'], ['verdict'], ['account_id', 'verdict', 'decided_at']],
    });
  }

  onModuleInit(): Promise<void> {
    return this.table.prepare();
  }

  async put(review: AddressReviewRecord, revision: number): Promise<void> {
    await this.table.put(storedOf(review, revision));
  }

  async putAll(rows: readonly (readonly [AddressReviewRecord, number])[]): Promise<void> {
    await this.table.putAll(rows.map(([review, revision]) => storedOf(review, revision)));
  }

  async waiting(limit: number): Promise<readonly AddressReviewRecord[]> {
    const rows = await this.db
      .selectFrom(TABLE)
      .select('id')
      .where('waits_since', 'is not', null)
      .orderBy('waits_since')
      .limit(limit)
      .execute();
    const found = await Promise.all(rows.map(({ id }) => this.table.get(id)));
    return found.flatMap((row) => (row ? [row.record] : []));
  }

  async counts(): Promise<readonly WaitingReviews[]> {
    const rows = await this.db
      .selectFrom(TABLE)
      .where('waits_since', 'is not', null)
      .groupBy('kind')
      .select(({ fn }) => ['kind', fn.countAll<number | string>().as('count'), fn.min('waits_since').as('since')])
      .execute();
    return rows.map(({ kind, count, since }) => ({ kind, count: Number(count), since: since ?? null }));
  }

  async page({ accountId, verdict }: AddressReviewFilters, page: PageRequest): Promise<Page<AddressReviewRecord>> {
    const { items, next } = await this.table.page({ where: {}, filters: { account_id: accountId, verdict }, page });
    return { items: items.map(({ record }) => record), next };
  }

  async matches(accountId: string, limit: number) {
    const ofAccount = this.db.selectFrom(TABLE).where('account_id', '=', accountId).where('verdict', '=', 'true-match');
    const [ids, counted] = await Promise.all([
      ofAccount.select('id').orderBy('decided_at', 'desc').orderBy('id', 'desc').limit(limit).execute(),
      ofAccount.select(({ fn }) => fn.countAll<number | string>().as('total')).executeTakeFirst(),
    ]);
    const rows = await Promise.all(ids.map(({ id }) => this.table.get(id)));
    return {
      matches: rows.flatMap((row) => (row && matchOf(row.record)) ?? []),
      total: Number(counted?.total ?? 0),
    };
  }

  async countedMatches(): Promise<readonly CountedMatches[]> {
    const rows = await this.db
      .selectFrom(TABLE)
      .where('verdict', '=', 'true-match')
      .groupBy('kind')
      .select(({ fn }) => ['kind', fn.countAll<number | string>().as('count')])
      .execute();
    return rows.map(({ kind, count }) => ({ kind, count: Number(count) }));
  }
}

function storedOf(record: AddressReviewRecord, revision: number): Stored {
  const decided = verdictOf(record);
  const waitsHere = record.outcome === 'waits' && record.subject.kind !== 'withdrawal';
  return {
    id: record.id,
    revision,
    created_at: record.heldAt,
    kind: record.subject.kind,
    account_id: record.accountId,
    verdict: decided?.verdict ?? null,
    decided_at: decided?.reviewedAt ?? null,
    waits_since: waitsHere ? record.heldAt : null,
    record,
  };
}
