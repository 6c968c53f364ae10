import type { EventStore, LogSlice } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';

/** The members of a rebuildable read model that are needed here. */
interface ReadModel {
  readonly categories: readonly string[];
  readonly tables: readonly string[];
  open(
    db: Kysely<unknown>,
    store: EventStore,
  ): Promise<{ apply(slice: LogSlice): Promise<void>; settle?(): Promise<void> }>;
}

/** Rows by table, sorted by their content. */
type RowsByTable = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** The current rows of these tables. */
export async function shownRows(
  readModels: Kysely<unknown> | undefined,
  tables: readonly string[],
): Promise<RowsByTable> {
  if (!readModels) throw new TypeError('the engines have no read database');
  const db = readModels as Kysely<Record<string, Record<string, unknown>>>;
  const shown: Record<string, readonly Record<string, unknown>[]> = {};
  for (const table of tables) {
    const rows = await db.selectFrom(table).selectAll().execute();
    shown[table] = rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return shown;
}

/** The rows of the read models after the whole log was read into an empty database, in slices of three events. */
export async function rebuiltRows(
  readModels: readonly ReadModel[],
  db: Kysely<unknown>,
  store: EventStore,
): Promise<RowsByTable> {
  const head = await store.head();
  for (const readModel of readModels) {
    const filling = await readModel.open(db, store);
    if (head === undefined) continue;
    const subscription = store.subscribe({ categories: readModel.categories, batchSize: 3 });
    for await (const slice of subscription) {
      const events = slice.events.filter(({ stream }) => readModel.categories.includes(categoryOf(stream)));
      if (events.length > 0) await filling.apply({ ...slice, events });
      if (store.comparePositions(slice.position, head) >= 0) break;
    }
    await subscription.close();
    await filling.settle?.();
  }
  return shownRows(
    db,
    readModels.flatMap(({ tables }) => tables),
  );
}
