import type { Pool } from 'pg';
import { ReportLimit, retry } from '@ponte/concurrency';
import { Unavailable } from '@ponte/kernel';
import type { Answer, Run } from './connection';
import { Connection, StatementNames } from './connection';
import { reason, reported, troubleOf } from './failures';
import type { PostgresLimits, PostgresOptions } from './options';
import { LIMITS } from './options';
import { readings } from './values';

/**
 * The connections of one process to PostgreSQL. Every error is an `Unavailable` (a retry is safe) or a
 * `PostgresFailure`. Statements must be repeatable: they are repeated if a connection is lost and their outcome is
 * unknown.
 */
export class Postgres {
  private readonly names = new StatementNames();
  readonly limits: PostgresLimits;

  /** An outage makes all statements fail for one reason. */
  private readonly reports = new ReportLimit();

  private constructor(
    readonly options: PostgresOptions,
    private readonly makePool: (connections: number) => Pool,
    private readonly pool: Pool,
  ) {
    this.limits = { ...LIMITS, ...options.limits };
    pool.on('error', (error) =>
      this.options.logger.warn({ reason: reason(error) }, 'an idle connection to PostgreSQL was lost'),
    );
    // Emitted if a connection breaks between two statements of its holder. Without a listener, it would end the
    // process.
    pool.on('connect', (client) => {
      client.on('error', () => undefined);
    });
  }

  static async open(options: PostgresOptions): Promise<Postgres> {
    if (/[?&]options=/.test(options.url))
      throw new Error(
        'the connection string of PostgreSQL must not contain "options": they are reserved for the schema',
      );
    assertSchema(options.schema);
    const makePool = await poolsOf(options);
    return new Postgres(options, makePool, makePool({ ...LIMITS, ...options.limits }.connections));
  }

  /** A copy with separate connections, for statements that must not wait behind others. */
  dedicated(connections: number): Postgres {
    return new Postgres(this.options, this.makePool, this.makePool(connections));
  }

  /** Runs one repeatable statement and returns its rows. */
  async query<Row>(text: string, values: readonly unknown[] = [], patienceMs = this.limits.patienceMs): Promise<Row[]> {
    return (await this.repeated(patienceMs, (connection) => connection.run<Row>(text, values))).rows;
  }

  /** Runs a transaction; `work` must be repeatable. `timeoutMs`: see {@link Connection.transaction}. */
  transaction<T>(work: (run: Run) => Promise<T>, timeoutMs?: number): Promise<T> {
    return this.repeated(this.limits.patienceMs, (connection) => connection.transaction(work, timeoutMs));
  }

  /** For callers that need one connection for several statements. They must free it. Throws the driver's own errors. */
  take(): Promise<Connection> {
    if (this.pool.waitingCount >= this.limits.waiting)
      throw new Unavailable(
        'service-unavailable',
        'too many statements are waiting for the database; it is safe to retry',
      );
    return Connection.take(this.pool, this.names);
  }

  /** Retries errors that can be retried, for up to `patienceMs`. */
  repeated<T>(patienceMs: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.retry(
      patienceMs,
      async () => {
        const connection = await this.take();
        return work(connection).finally(() => connection.free());
      },
      (error) => !(error instanceof Unavailable) && troubleOf(error) !== 'refused',
    );
  }

  /** For callers that hold a connection. The logger adds the request's trace, which this class does not know. */
  async retry<T>(patienceMs: number, work: () => Promise<T>, shouldRetry: (error: unknown) => boolean): Promise<T> {
    try {
      return await retry(work, {
        patienceMs,
        shouldRetry,
        onRetry: (error, tries) => {
          const fields = { reason: reason(error), tries };
          this.reports.note(fields.reason, (repeats) =>
            this.options.logger.warn({ ...fields, ...repeats }, 'a statement failed; it will be retried'),
          );
        },
      });
    } catch (error) {
      throw reported(error);
    }
  }

  /** Waits for running statements to finish. */
  async close(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }
}

export type { Answer, Run };

/** Throws a TypeError unless the name can be used in a statement without quoting. */
export function assertSchema(schema: string): void {
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(schema)) throw new TypeError(`${schema} is not a valid schema name`);
}

/** The driver is loaded only here, because an embedded process does not need it. */
async function poolsOf({
  url,
  schema,
  applicationName,
  limits,
}: PostgresOptions): Promise<(connections: number) => Pool> {
  const { Client, Pool: Connections, types } = await import('./driver');
  assertAddress(() => new Client({ connectionString: url }));
  const { connectMs, statementMs, lockMs, silenceMs } = { ...LIMITS, ...limits };
  return (connections) =>
    new Connections({
      connectionString: url,
      max: connections,
      application_name: applicationName ?? 'ponte',
      keepAlive: true,
      types: readings(types),
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs + silenceMs,
      idleTimeoutMillis: 30_000,
      options: [
        `search_path=${schema}`,
        `statement_timeout=${statementMs}`,
        `lock_timeout=${lockMs}`,
        `idle_in_transaction_session_timeout=${statementMs}`,
      ]
        .map((setting) => `-c ${setting}`)
        .join(' '),
    });
}

/** Replaces the driver's error, because the text of a connection string contains a password. */
function assertAddress(read: () => unknown): void {
  try {
    read();
  } catch {
    throw new Error(
      'the connection string of PostgreSQL is not valid; use postgres://user:password@host:5432/database',
    );
  }
}
