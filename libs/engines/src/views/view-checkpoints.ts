import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Checkpoints } from '@ponte/event-sourcing';
import type { Views } from './columns';

/**
 * Checkpoints of the projectors of a views' database, kept in that database: so a checkpoint can never outlive the rows that
 * it says are there. Call `prepare` once, before the rest.
 */
export function createViewCheckpoints(views: Kysely<unknown>): Checkpoints & { prepare(): Promise<void> } {
  const db = views as Kysely<Views>;
  const table = 'projector_checkpoints';
  return {
    async prepare() {
      await db.schema.createTable(table).ifNotExists()
        .addColumn('reader', 'text', (column) => column.primaryKey().notNull())
        .addColumn('position', 'text', (column) => column.notNull())
        .addColumn('fence', 'bigint', (column) => column.notNull())
        .execute();
    },
    async load(reader) {
      const row = await db.selectFrom(table).select('position').where('reader', '=', reader).executeTakeFirst();
      return row && String(row['position']);
    },
    async save(reader, position, fence = 0) {
      const result = await db.insertInto(table).values({ reader, position, fence })
        .onConflict((conflict) => conflict.column('reader').doUpdateSet({ position, fence })
          .where(sql<boolean>`${sql.ref(`${table}.fence`)} <= ${fence}`))
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
  };
}
