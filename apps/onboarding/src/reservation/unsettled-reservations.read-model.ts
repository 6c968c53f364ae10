import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import { StreamFolds } from '@ponte/event-sourcing';
import { READ_MODELS } from '@ponte/nest';
import type { ReaderPart } from '@ponte/read-models';
import { createTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { reservation } from './reservation.decider';

const TABLE = 'onboarding_reservations';
interface Schema {
  onboarding_reservations: {
    readonly id: string;
    readonly revision: number;
    readonly standing: 'open' | 'settled';
    readonly since: Timestamp;
  };
}

/** Creates the table if it does not exist. */
const prepare = (readModels: Kysely<unknown>): Promise<void> =>
  createTable(readModels, {
    table: TABLE,
    columns: { id: 'text', revision: 'integer', standing: 'text', since: 'text' },
    key: ['id'],
    indices: [['standing', 'since']],
  });

/** The reservations that the sweep has to process: one row per reservation with the highest revision seen. */
@Injectable()
export class UnsettledReservations implements OnModuleInit {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(READ_MODELS) private readonly readModels: Kysely<unknown>) {
    this.db = readModels as Kysely<Schema>;
  }

  onModuleInit(): Promise<void> {
    return prepare(this.readModels);
  }

  /** Marks a reservation as open. A revision that was settled stays settled. */
  open(id: string, revision: number, since: Timestamp): Promise<void> {
    return this.put({ id, revision, standing: 'open', since }, '<');
  }

  /** Marks a reservation as settled up to this revision. */
  settle(id: string, revision: number): Promise<void> {
    return this.put({ id, revision, standing: 'settled', since: '' }, '<=');
  }

  /** Reservations that have been open since before the time, oldest first. */
  async older(than: Timestamp, limit: number): Promise<readonly { readonly id: string; readonly revision: number }[]> {
    const rows = await this.db
      .selectFrom(TABLE)
      .select(['id', 'revision'])
      .where('standing', '=', 'open')
      .where('since', '<=', than)
      .orderBy('since')
      .limit(limit)
      .execute();
    return rows.map(({ id, revision }) => ({ id, revision: Number(revision) }));
  }

  private async put(row: Schema['onboarding_reservations'], replaces: '<' | '<='): Promise<void> {
    await this.db
      .insertInto(TABLE)
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(({ ref }) => ({
            revision: ref('excluded.revision'),
            standing: ref('excluded.standing'),
            since: ref('excluded.since'),
          }))
          .where(({ ref }) => sql<boolean>`${ref(`${TABLE}.revision`)} ${sql.raw(replaces)} excluded.revision`),
      )
      .execute();
  }
}

/**
 * Reservations whose request has not been checked yet, kept up to date by the projector of the requests. An address
 * held by a Ponte wallet needs no request.
 */
export const RESERVATIONS: ReaderPart = {
  reader: 'onboarding-requests',
  part: {
    tables: [TABLE],
    version: 1,
    categories: [reservation.category],
    prepare,
    open(_db, store, capacity) {
      const folds = new StreamFolds(reservation, store, capacity);
      return {
        async fold(events) {
          const changed = await folds.add(events);
          return async (through) => {
            const rows = new UnsettledReservations(through);
            for (const [id, { state, revision }] of changed)
              await (state.status === 'reserved' && state.holderId !== state.accountId
                ? rows.open(id, revision, state.claimedAt)
                : rows.settle(id, revision));
          };
        },
      };
    },
  },
};
