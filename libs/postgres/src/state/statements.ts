import type { PostgresPoolClient, QueryExecutorProvider } from 'kysely';
import { Kysely, PostgresDialect } from 'kysely';
import type { Connection } from '../connection';
import type { Postgres } from '../postgres';

/** A Kysely instance that sends its statements to a connection or a replacement of one. It begins no transactions. */
function statementsOver(connection: Pick<Connection, 'run'>): QueryExecutorProvider {
  const query: Connection['run'] = (text, values) => connection.run(text, values);
  const client = { query, release: () => undefined } as PostgresPoolClient;
  const pool = { connect: async () => client, end: async () => undefined };
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}

/** Retries each statement as {@link Postgres.query} does. */
export const repeatedStatements = (postgres: Postgres): QueryExecutorProvider =>
  statementsOver({
    run: (text, values) => postgres.repeated(postgres.limits.patienceMs, (connection) => connection.run(text, values)),
  });

/** Runs a transaction on one connection, and retries it as {@link Postgres.query} does. */
export const repeatedTransaction = (
  postgres: Postgres,
  work: (trx: QueryExecutorProvider) => Promise<void>,
): Promise<void> =>
  postgres.repeated(postgres.limits.patienceMs, (connection) =>
    connection.transaction(() => work(statementsOver(connection))),
  );
