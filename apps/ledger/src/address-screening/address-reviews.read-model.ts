import type { OnModuleInit } from '@nestjs/common';
import type { AddressReviewRecord, AddressSubjectKind, Timestamp, WaitingReviews } from '@ponte/contracts';
import type { ViewTable } from '@ponte/read-models';
import { createViewTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import type { AddressReview } from './address-review.decider';

export const ADDRESS_REVIEWS_TABLE = 'ledger_address_reviews';
const TABLE = ADDRESS_REVIEWS_TABLE;

interface Stored {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly kind: AddressSubjectKind;
  /** Null once it is decided. */
  readonly waits_since: Timestamp | null;
  readonly record: AddressReviewRecord;
}

/** Reviews of addresses, of everything but withdrawals, whose reviews are in their own list. */
export interface AddressReviewReadModel {
  /** A row never goes back to a lower revision. */
  put(review: AddressReview, revision: number): Promise<void>;
  /** Those that wait, the longest waiting first. */
  waiting(limit: number): Promise<readonly AddressReviewRecord[]>;
  /** How many wait, by kind. */
  counts(): Promise<readonly WaitingReviews[]>;
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
      columns: { kind: 'text', waits_since: 'text?', record: 'json' },
      indices: [['waits_since']],
    });
  }

  onModuleInit(): Promise<void> {
    return this.table.prepare();
  }

  async put(state: AddressReview, revision: number): Promise<void> {
    await this.putAll([[state, revision]]);
  }

  /** Of different reviews. */
  async putAll(rows: readonly (readonly [AddressReview, number])[]): Promise<void> {
    await this.table.putAll(rows.flatMap(([state, revision]) => storedOf(state, revision) ?? []));
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
}

function storedOf(state: AddressReview, revision: number): Stored | undefined {
  if (state.status === 'absent') return undefined;
  const { status, ...record } = state;
  return {
    id: record.id,
    revision,
    created_at: record.heldAt,
    kind: record.subject.kind,
    waits_since: status === 'open' ? record.heldAt : null,
    record,
  };
}
