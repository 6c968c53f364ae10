import type { ColumnDefinitionNode, DataTypeNode, Dialect } from 'kysely';
import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
} from 'kysely';
import type { Postgres } from '../postgres';
import { makeSchema } from '../migrations';
import { ViewPool } from './view-pool';

/**
 * Texts of views sort by their bytes, as in SQLite and as JavaScript compares ASCII, whatever the language of the
 * server.
 */
class ByteOrder extends PostgresQueryCompiler {
  private inColumn = false;

  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    this.inColumn = true;
    super.visitColumnDefinition(node);
    this.inColumn = false;
  }

  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (this.inColumn && node.dataType === 'text') this.append(' collate "C"');
  }
}

/**
 * Lists and look-ups in the schema of one service. Written durably, unlike SQLite's file: the server may crash without
 * the process that follows the log, which would then go on behind rows that are no longer there. `destroy` leaves the
 * connections open; their owner closes them.
 */
export async function openPostgresViews<Schema>(postgres: Postgres): Promise<Kysely<Schema>> {
  await makeSchema(postgres, postgres.options.schema);
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver({ pool: new ViewPool(postgres) }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ByteOrder(),
  };
  // SQLite takes an empty list; PostgreSQL calls it a mistake in the statement.
  const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
  return new Kysely<Schema>({ dialect, plugins: [emptyLists] });
}
