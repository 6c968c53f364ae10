import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { SqliteDatabase } from '../database';
import { preparing } from '../prepared';
import { beginningOf, WRITE } from './read-model-database';
import { ReadModelWrites } from './read-model-writes';
import type { WriterThread } from '../writer-thread';

const READ = /^select /i;
const RETURNING = / returning /i;

/**
 * Kysely over a file to which a thread writes. Reads run in this thread, after all earlier writes. Single writes run in
 * the writer thread and are answered when others can see them. Everything else, such as creating a table or a
 * transaction of Kysely, runs in this thread with exclusive access.
 */
export function threadedDialect(db: SqliteDatabase, thread: WriterThread): Dialect {
  return {
    createDriver: () => new ThreadedDriver(db, thread),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (readModels) => new SqliteIntrospector(readModels),
  };
}

type Run = (query: CompiledQuery) => QueryResult<never>;

class ThreadedDriver implements Driver {
  private readonly writes: ReadModelWrites;
  private readonly run: Run;
  private readonly begin: () => void;

  constructor(
    private readonly db: SqliteDatabase,
    private readonly thread: WriterThread,
  ) {
    this.writes = new ReadModelWrites(thread);
    const prepared = preparing(db, (statement) => ({ statement }));
    this.run = ({ sql, parameters }) => {
      const { statement } = prepared(sql);
      if (statement.reader) return { rows: statement.all(...parameters) as never[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
    };
    const beginning = beginningOf(db);
    this.begin = () => void beginning().run();
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ReadModelConnection> {
    return new ReadModelConnection(this.writes, this.run);
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: ReadModelConnection): Promise<void> {
    await this.writes.close();
    try {
      this.begin();
      connection.alone = true;
    } catch (error) {
      this.writes.open();
      throw error;
    }
  }

  async commitTransaction(connection: ReadModelConnection): Promise<void> {
    this.db.exec('COMMIT');
    this.end(connection);
  }

  async rollbackTransaction(connection: ReadModelConnection): Promise<void> {
    try {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
    } finally {
      this.end(connection);
    }
  }

  async destroy(): Promise<void> {
    await this.writes.end();
    await this.thread.close();
    this.db.close();
  }

  private end(connection: ReadModelConnection): void {
    if (!connection.alone) return;
    connection.alone = false;
    this.writes.open();
  }
}

class ReadModelConnection implements DatabaseConnection {
  /** Set within a transaction: the writer thread is idle and no other caller gets access. */
  alone = false;

  constructor(
    private readonly writes: ReadModelWrites,
    private readonly run: Run,
  ) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.alone) return this.run(query);
    const { sql, parameters } = query;
    if (READ.test(sql)) {
      // Reads see every earlier write of any caller, so that a webhook never names a row that is missing in a list.
      await this.writes.pending;
      while (this.writes.isClosed) await this.writes.opening();
      return this.run(query);
    }
    if (WRITE.test(sql) && !RETURNING.test(sql))
      return { rows: [], numAffectedRows: BigInt(await this.writes.write([sql, parameters])) };
    await this.writes.close();
    try {
      return this.run(query);
    } finally {
      this.writes.open();
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}
