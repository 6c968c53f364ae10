import type { Timestamp } from '@ponte/contracts';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { UnsettledReservations } from '../../ports/unsettled-reservations';

const TABLE = 'onboarding_reservations';
interface Schema {
  onboarding_reservations: {
    readonly id: string;
    readonly revision: number;
    readonly standing: 'open' | 'settled';
    readonly since: Timestamp;
  };
}

/** One row per reservation, and its highest revision that was seen; in either dialect. */
export async function openUnsettledReservations(views: Kysely<unknown>): Promise<UnsettledReservations> {
  const db = views as Kysely<Schema>;
  await db.schema
    .createTable(TABLE)
    .ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('standing', 'text', (column) => column.notNull())
    .addColumn('since', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex(`${TABLE}_by_standing`).ifNotExists().on(TABLE).columns(['standing', 'since']).execute();

  async function put(row: Schema['onboarding_reservations'], replaces: '<' | '<='): Promise<void> {
    await db
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

  return {
    open: (id, revision, since) => put({ id, revision, standing: 'open', since }, '<'),
    settle: (id, revision) => put({ id, revision, standing: 'settled', since: '' }, '<='),
    async older(than, limit) {
      const rows = await db
        .selectFrom(TABLE)
        .select(['id', 'revision'])
        .where('standing', '=', 'open')
        .where('since', '<=', than)
        .orderBy('since')
        .limit(limit)
        .execute();
      return rows.map(({ id, revision }) => ({ id, revision: Number(revision) }));
    },
  };
}
