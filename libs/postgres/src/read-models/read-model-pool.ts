import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Answer, Connection } from '../connection';
import { reported, troubleOf } from '../failures';
import { lockForMigration, MIGRATION_MS } from '../migrations';
import type { Postgres } from '../postgres';

/** Matches statements that create or change tables. */
const TABLES = /^\s*(create|alter|drop) /i;
/** Matches statements that change nothing, so that they can be repeated after a lost answer. */
const READS = /^\s*(select|begin|start transaction)\b/i;
const BEGINS = /^\s*(begin|start transaction)\b/i;
const ENDS = /^\s*(commit|rollback)\s*$/i;

/**
 * A row is written while a caller waits for the answer to a completed command. The log has the event already, and the
 * projector will write the row.
 */
const WRITE_PATIENCE_MS = 1_000;

/**
 * A pool for Kysely that throws our own errors, lets one process at a time create tables, and repeats reads after a
 * lost connection.
 */
export class ReadModelPool implements PostgresPool {
  constructor(private readonly postgres: Postgres) {}

  async connect(): Promise<PostgresPoolClient> {
    return new ReadModelClient(this.postgres);
  }

  async end(): Promise<void> {
    // The connections are shared with the other engines of the process.
  }
}

/** Takes its connection at the first statement, so that a failure there can be retried. */
class ReadModelClient implements PostgresPoolClient {
  private connection: Connection | undefined;
  private inTransaction = false;

  constructor(private readonly postgres: Postgres) {}

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== 'string') throw new TypeError('read models are read in pages, not with cursors');
    return this.run<R>(sql, parameters) as Promise<PostgresQueryResult<R>>;
  }

  release(): void {
    if (this.inTransaction) this.connection?.closeWhenFreed();
    this.inTransaction = false;
    this.connection?.free();
    this.connection = undefined;
  }

  private async run<R>(sql: string, parameters: readonly unknown[]): Promise<Answer<R>> {
    if (this.inTransaction) return this.within<R>(sql, parameters);
    const { patienceMs } = this.postgres.limits;
    let sent = false;
    return this.postgres.retry(
      READS.test(sql) || TABLES.test(sql) ? patienceMs : Math.min(patienceMs, WRITE_PATIENCE_MS),
      async () => {
        sent = false;
        this.connection ??= await this.postgres.take();
        sent = true;
        const answer = TABLES.test(sql)
          ? await this.makeTables<R>(this.connection, sql)
          : await this.connection.run<R>(sql, parameters);
        this.inTransaction = BEGINS.test(sql);
        return answer;
      },
      (error) => {
        this.release();
        return isHarmless(error, sent && !READS.test(sql));
      },
    );
  }

  private async within<R>(sql: string, parameters: readonly unknown[]): Promise<Answer<R>> {
    try {
      if (!this.connection) throw new Error('the transaction has no connection');
      const answer = await this.connection.run<R>(sql, parameters);
      if (ENDS.test(sql)) this.inTransaction = false;
      return answer;
    } catch (error) {
      throw reported(error);
    }
  }

  private async makeTables<R>(connection: Connection, sql: string): Promise<Answer<R>> {
    await connection.transaction(async (run) => {
      await lockForMigration(run);
      await run(sql);
    }, MIGRATION_MS);
    return { command: 'CREATE', rowCount: 0, rows: [] };
  }
}

/** `kept`: whether the statement may have changed something if the connection was lost. */
function isHarmless(error: unknown, kept: boolean): boolean {
  switch (troubleOf(error)) {
    case 'refused':
      return false;
    case 'busy':
    case 'stale':
      return true;
    case 'lost':
      return !kept;
  }
}
