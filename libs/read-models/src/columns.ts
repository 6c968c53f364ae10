import type { Kysely, SelectQueryBuilder } from 'kysely';

/** The columns that every row of a read model has. */
export interface ReadModelRow {
  readonly id: string;
  /** Revision of the stream at which the row was folded. */
  readonly revision: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly created_at: string;
}

/**
 * `text?` and `integer?` are nullable. A `json` column holds any JSON value, including null, as text. A `sum` is a
 * `bigint` stored as text, because it can exceed an integer column.
 */
export type Column = 'text' | 'text?' | 'integer' | 'integer?' | 'boolean' | 'json' | 'sum';

/** Any schema: the types of a table's rows are checked through its options. */
export type ReadModelTables = Record<string, Record<string, unknown>>;

/** A statement that selects whole rows. */
export type RowQuery<Row> = SelectQueryBuilder<Record<string, Row>, string, Row>;
/** A statement that selects some columns, or groups rows. */
export type RowAggregation<Row> = SelectQueryBuilder<Record<string, Row>, string, object>;

const SQL_TYPE = {
  text: 'text',
  'text?': 'text',
  integer: 'bigint',
  'integer?': 'bigint',
  boolean: 'smallint',
  json: 'text',
  sum: 'text',
} as const;

/** Throws a TypeError unless the name can be used in a statement without quoting. */
export function assertName(name: string): void {
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(name)) throw new TypeError(`${name} is not a valid name of a table or column`);
}

export interface TableOptions {
  readonly table: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** Combinations of columns by which rows are looked up. */
  readonly indices?: readonly (readonly string[])[];
  /** Combinations of columns by which pages are selected; pages are ordered by `created_at` and `id`. */
  readonly paged?: readonly (readonly string[])[];
}

/** Creates the table and its indices where they do not exist. */
export async function createTable(readModels: Kysely<unknown>, options: TableOptions): Promise<void> {
  const { table, columns, key, indices = [], paged = [] } = options;
  const db = readModels as Kysely<ReadModelTables>;
  let create = db.schema.createTable(table).ifNotExists();
  for (const [name, column] of Object.entries(columns))
    create = create.addColumn(name, SQL_TYPE[column], (one) => (column.endsWith('?') ? one : one.notNull()));
  await create.addPrimaryKeyConstraint(`${table}_key`, key as never).execute();
  await addMissingColumns(db, table, columns);
  const index = (name: readonly string[], order: readonly string[]) =>
    db.schema
      .createIndex([table, 'by', ...name].join('_'))
      .ifNotExists()
      .on(table)
      .columns([...name, ...order])
      .execute();
  for (const name of indices) await index(name, []);
  for (const name of paged) await index(name, ['created_at', 'id']);
}

/**
 * Adds columns of a later release to an existing table. They are null until a row is written again or the read model is
 * rebuilt, so only nullable columns can be added.
 */
async function addMissingColumns(
  db: Kysely<ReadModelTables>,
  table: string,
  columns: Readonly<Record<string, Column>>,
): Promise<void> {
  const later = Object.keys(columns).filter((name) => columns[name]?.endsWith('?'));
  // Qualified with the table's name, because SQLite reads an unknown quoted name as a text.
  const has = (...names: string[]): Promise<boolean> =>
    db
      .selectFrom(table)
      .select(names.map((name) => `${table}.${name}`))
      .limit(0)
      .execute()
      .then(
        () => true,
        () => false,
      );
  if (later.length === 0 || (await has(...later))) return;
  for (const name of later) {
    if (await has(name)) continue;
    const add = db.schema.alterTable(table).addColumn(name, SQL_TYPE[columns[name] as Column]);
    await add.execute().catch(async (error: unknown) => {
      // A replica that started at the same time may have added it.
      if (!(await has(name))) throw error;
    });
  }
}
