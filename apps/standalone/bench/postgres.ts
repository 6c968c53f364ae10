import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { startKeptPostgres, temporaryFolder } from '@ponte/testing';
import { Pool } from 'pg';

const CALLERS = 64;
const POSTINGS = 3_000;
const ACCOUNTS = 64;
const DEBIAN = '/usr/lib/postgresql';

/**
 * Measures what a conventional database design does for one acceptance: lock the balance, check it, write the hold and
 * the order, in one durable transaction driven by the client. Returns `undefined` if the machine has no PostgreSQL
 * server.
 */
export async function benchPostgres(): Promise<number | undefined> {
  if (!existsSync(DEBIAN)) return undefined;
  const folder = temporaryFolder();
  const server = await startKeptPostgres(folder.path);
  // Over the socket in its folder, which costs less than TCP.
  const port = Number(new URL(server.url).port);
  const pool = new Pool({ host: folder.path, port, user: 'ponte', database: 'postgres', max: CALLERS });
  pool.on('error', () => undefined);
  try {
    await prepare(pool);
    return await post(pool);
  } finally {
    await pool.end();
    await server.stop();
    folder.remove();
  }
}

async function prepare(pool: Pool): Promise<void> {
  await pool.query(
    'CREATE TABLE balances (account int PRIMARY KEY, available numeric NOT NULL CHECK (available >= 0), held numeric NOT NULL)',
  );
  await pool.query(
    'CREATE TABLE holds (id bigserial PRIMARY KEY, account int NOT NULL REFERENCES balances, amount numeric NOT NULL)',
  );
  await pool.query(
    'CREATE TABLE orders (id bigserial PRIMARY KEY, account int NOT NULL, quote text UNIQUE NOT NULL, terms jsonb NOT NULL)',
  );
  await pool.query('INSERT INTO balances SELECT n, 1000000, 0 FROM generate_series(0, $1::int - 1) AS n', [ACCOUNTS]);
}

async function post(pool: Pool): Promise<number> {
  const terms = JSON.stringify({ text: 'x'.repeat(300) });
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let at = next++; at < POSTINGS; at = next++) await acceptance(pool, at, terms);
    }),
  );
  return (POSTINGS * 1000) / (performance.now() - began);
}

async function acceptance(pool: Pool, at: number, terms: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      'UPDATE balances SET available = available - 1, held = held + 1 WHERE account = $1 AND available >= 1',
      [at % ACCOUNTS],
    );
    await client.query('INSERT INTO holds (account, amount) VALUES ($1, 1)', [at % ACCOUNTS]);
    await client.query('INSERT INTO orders (account, quote, terms) VALUES ($1, $2, $3)', [
      at % ACCOUNTS,
      `quote-${at}`,
      terms,
    ]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
