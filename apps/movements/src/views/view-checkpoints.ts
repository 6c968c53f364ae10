import { Inject, Injectable } from '@nestjs/common';
import type { Checkpoints, Position } from '@ponte/event-sourcing';
import { VIEWS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';

interface Schema { movements_checkpoints: { readonly reader: string; readonly position: string; readonly fence: number } }

/** How far the views have read, kept beside them: whoever loses or deletes the views loses both, and they are filled again from the log. */
@Injectable()
export class ViewCheckpoints implements Checkpoints {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(VIEWS) views: Kysely<unknown>) {
    this.db = views as Kysely<Schema>;
  }

  async prepare(): Promise<void> {
    await this.db.schema.createTable('movements_checkpoints').ifNotExists()
      .addColumn('reader', 'text', (column) => column.primaryKey().notNull())
      .addColumn('position', 'text', (column) => column.notNull())
      .addColumn('fence', 'bigint', (column) => column.notNull())
      .execute();
  }

  async load(reader: string): Promise<Position | undefined> {
    const row = await this.db.selectFrom('movements_checkpoints').select('position').where('reader', '=', reader).executeTakeFirst();
    return row?.position;
  }

  async save(reader: string, position: Position, fence = 0): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db.insertInto('movements_checkpoints').values({ reader, position, fence })
      .onConflict((conflict) => conflict.column('reader')
        .doUpdateSet(({ ref }) => ({ position: ref('excluded.position'), fence: ref('excluded.fence') }))
        .where(({ ref }) => sql<boolean>`${ref('movements_checkpoints.fence')} <= excluded.fence`))
      .executeTakeFirstOrThrow();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
}
