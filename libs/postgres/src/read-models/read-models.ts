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
import { ReadModelPool } from './read-model-pool';

/** Makes text columns of read models sort by bytes, as in SQLite and (for ASCII) JavaScript, whatever the locale. */
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
 * Opens read models in the schema of one service. Unlike in SQLite's file, writes are durable: the server may crash
 * while the projector's process keeps running, which would then continue after rows that were lost. `destroy` leaves
 * the connections open; their owner closes them.
 */
export async function openPostgresReadModels<Schema>(postgres: Postgres): Promise<Kysely<Schema>> {
  await makeSchema(postgres, postgres.options.schema);
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver({ pool: new ReadModelPool(postgres) }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ByteOrder(),
  };
  // SQLite accepts an empty list; PostgreSQL rejects it as a syntax error.
  const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
  return new Kysely<Schema>({ dialect, plugins: [emptyLists] });
}
