import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Checkpoints, KeptCheckpoint, Position } from '@ponte/event-sourcing';
import type { ReadModelTables } from './columns';
import type { Connection } from './row-writer';

const TABLE = 'projector_checkpoints';

interface ReadModelCheckpoints extends Checkpoints {
  prepare(): Promise<void>;
  list(): Promise<readonly KeptCheckpoint[]>;
  /** Like `save`, within the transaction that writes the rows. */
  saveIn(trx: Connection, reader: string, position: Position, fence: number): Promise<boolean>;
  /** Like `saveIn`, but only if the checkpoint is at `from`; undefined means that it does not exist yet. */
  moveIn(
    trx: Kysely<unknown>,
    reader: string,
    from: Position | undefined,
    position: Position,
    fence: number,
  ): Promise<boolean>;
}

/**
 * Checkpoints of a database's projectors, stored in the same database, so that a checkpoint never outlives the rows
 * that it covers. Failures of a projector are reported to `others`, with those of other readers. Call `prepare` once,
 * before the other methods.
 */
export function createReadModelCheckpoints(
  readModels: Kysely<unknown>,
  others?: Pick<Checkpoints, 'trouble'>,
): ReadModelCheckpoints {
  const db = readModels as Kysely<ReadModelTables>;
  const table = TABLE;
  const { load, move, save } = compiledStatements(db, table);
  const saveIn: ReadModelCheckpoints['saveIn'] = async (through, reader, position, fence) => {
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
      const { rows } = await db.executeQuery<{ readonly position: unknown }>({ ...load, parameters: [reader] });
      return rows[0] && String(rows[0].position);
    },
    saveIn,
    async moveIn(through, reader, from, position, fence) {
      if (from === undefined) {
        const added = await (through as Kysely<ReadModelTables>)
          .insertInto(table)
          .values({ reader, position, fence })
          .onConflict((conflict) => conflict.column('reader').doNothing())
          .executeTakeFirst();
        return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
      }
      const parameters = [position, fence, reader, from, fence];
      const { numAffectedRows } = await through.executeQuery({ ...move, parameters });
      return (numAffectedRows ?? 0n) > 0n;
    },
    save: (reader, position, fence = 0) => saveIn(readModels, reader, position, fence),
  };
}

/**
 * Sets a projector's checkpoint to the position of the new rows, without its lease. A current holder of the lease
 * continues from its own position and saves that when it has advanced.
 */
export async function replaceCheckpoint(
  trx: Kysely<ReadModelTables>,
  reader: string,
  position: Position,
): Promise<void> {
  await trx
    .insertInto(TABLE)
    .values({ reader, position, fence: 0 })
    .onConflict((conflict) => conflict.column('reader').doUpdateSet({ position }))
    .execute();
}

/** Compiled once: they are used often, and building a statement costs more than running it. */
const compiledStatements = (db: Kysely<ReadModelTables>, table: string) => ({
  load: db.selectFrom(table).select('position').where('reader', '=', '').compile(),
  move: db
    .updateTable(table)
    .set({ position: '', fence: 0 })
    .where('reader', '=', '')
    .where('position', '=', '')
    .where('fence', '<=', 0)
    .compile(),
  save: db
    .insertInto(table)
    .values({ reader: '', position: '', fence: 0 })
    .onConflict((conflict) =>
      conflict
        .column('reader')
        .doUpdateSet(({ ref }) => ({ position: ref('excluded.position'), fence: ref('excluded.fence') }))
        .where(({ ref }) => sql<boolean>`${ref(`${table}.fence`)} <= excluded.fence`),
    )
    .compile(),
});
