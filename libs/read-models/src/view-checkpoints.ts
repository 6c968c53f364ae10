import type { CompiledQuery, Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Checkpoints, KeptCheckpoint, Position } from '@ponte/event-sourcing';
import type { Views } from './columns';
import type { Connection } from './row-writer';

const TABLE = 'projector_checkpoints';

export interface ViewCheckpoints extends Checkpoints {
  prepare(): Promise<void>;
  list(): Promise<readonly KeptCheckpoint[]>;
  /** As `save`, in a transaction together with the rows. */
  saveIn(trx: Connection, reader: string, position: Position, fence: number): Promise<boolean>;
  /** As `saveIn`, but only from the place `from`; undefined: there is no checkpoint yet. */
  moveIn(
    trx: Kysely<unknown>,
    reader: string,
    from: Position | undefined,
    position: Position,
    fence: number,
  ): Promise<boolean>;
}

/**
 * Checkpoints of the projectors of a views' database, kept in that database: so a checkpoint can never outlive the rows
 * that it says are there. Failures of a projector are reported to `others`, with those of other readers. Call `prepare`
 * once, before the rest.
 */
export function createViewCheckpoints(views: Kysely<unknown>, others?: Pick<Checkpoints, 'trouble'>): ViewCheckpoints {
  const db = views as Kysely<Views>;
  const table = TABLE;
  const save = compiledSave(db, table);
  const saveIn: ViewCheckpoints['saveIn'] = async (through, reader, position, fence) => {
    const { numAffectedRows } = await through.executeQuery({ ...save, parameters: [reader, position, fence] });
    return (numAffectedRows ?? 0n) > 0n;
  };
  return {
    async prepare() {
      await db.schema
        .createTable(table)
        .ifNotExists()
        .addColumn('reader', 'text', (column) => column.primaryKey().notNull())
        .addColumn('position', 'text', (column) => column.notNull())
        .addColumn('fence', 'bigint', (column) => column.notNull())
        .execute();
    },
    async list() {
      const rows = await db.selectFrom(table).selectAll().orderBy('reader').execute();
      return rows.map(({ reader, position, fence }) => ({
        reader: String(reader),
        position: String(position),
        fence: Number(fence),
      }));
    },
    trouble: async (reader, trouble, at) => others?.trouble?.(reader, trouble, at),
    async load(reader) {
      const row = await db.selectFrom(table).select('position').where('reader', '=', reader).executeTakeFirst();
      return row && String(row['position']);
    },
    saveIn,
    async moveIn(through, reader, from, position, fence) {
      const rows = through as Kysely<Views>;
      if (from === undefined) {
        const added = await rows
          .insertInto(table)
          .values({ reader, position, fence })
          .onConflict((conflict) => conflict.column('reader').doNothing())
          .executeTakeFirst();
        return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
      }
      const moved = await rows
        .updateTable(table)
        .set({ position, fence })
        .where('reader', '=', reader)
        .where('position', '=', from)
        .where('fence', '<=', fence)
        .executeTakeFirst();
      return moved.numUpdatedRows > 0n;
    },
    save: (reader, position, fence = 0) => saveIn(views, reader, position, fence),
  };
}

/**
 * Sets a projector's checkpoint to where the rows now are, without its lease. A current holder continues from its own
 * position and writes that when it has moved.
 */
export async function replaceCheckpoint(trx: Kysely<Views>, reader: string, position: Position): Promise<void> {
  await trx
    .insertInto(TABLE)
    .values({ reader, position, fence: 0 })
    .onConflict((conflict) => conflict.column('reader').doUpdateSet({ position }))
    .execute();
}

/**
 * Compiled once: each projector saves its place many times a second, and building the statement costs more than running
 * it.
 */
const compiledSave = (db: Kysely<Views>, table: string): CompiledQuery =>
  db
    .insertInto(table)
    .values({ reader: '', position: '', fence: 0 })
    .onConflict((conflict) =>
      conflict
        .column('reader')
        .doUpdateSet(({ ref }) => ({ position: ref('excluded.position'), fence: ref('excluded.fence') }))
        .where(({ ref }) => sql<boolean>`${ref(`${table}.fence`)} <= excluded.fence`),
    )
    .compile();
