import type { Kysely } from 'kysely';
import type { Checkpoints } from '@ponte/event-sourcing';

interface CheckpointSchema {
  readonly webhook_checkpoints: { readonly reader: string; readonly position: string; readonly fence: number };
}

/**
 * The place in the log that the view of deliveries has reached, kept in the view's own database. A row that is lost with the
 * power would never be sent again if the checkpoint behind it survived elsewhere; here the two are lost or kept together.
 */
export async function openViewCheckpoints(views: Kysely<unknown>): Promise<Checkpoints> {
  const db = views as Kysely<CheckpointSchema>;
  await db.schema.createTable('webhook_checkpoints').ifNotExists()
    .addColumn('reader', 'text', (column) => column.primaryKey())
    .addColumn('position', 'text', (column) => column.notNull())
    .addColumn('fence', 'integer', (column) => column.notNull())
    .execute();
  return {
    async load(reader) {
      const row = await db.selectFrom('webhook_checkpoints').select('position').where('reader', '=', reader).executeTakeFirst();
      return row?.position;
    },
    async save(reader, position, fence = 0) {
      const saved = await db.insertInto('webhook_checkpoints').values({ reader, position, fence })
        .onConflict((conflict) => conflict.column('reader').doUpdateSet({ position, fence }).where('webhook_checkpoints.fence', '<=', fence))
        .executeTakeFirst();
      return (saved.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
  };
}
