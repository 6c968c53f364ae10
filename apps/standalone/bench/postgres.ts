import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';

const CALLERS = 64;
const POSTINGS = 3_000;
const ACCOUNTS = 64;
const DEBIAN = '/usr/lib/postgresql';
const PATIENCE_MS = 20_000;

/**
 * Measures what a conventional database design does for one acceptance: lock the balance, check it, write the hold and
 * the order, in one durable transaction driven by the client. Returns `undefined` if the machine has no PostgreSQL
 * server.
 */
export async function benchPostgres(): Promise<number | undefined> {
  const bin = binaries();
  if (!bin) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-pg-'));
  // The server refuses to run as root, so root starts it as the user that its package created.
  const uid =
    process.getuid?.() === 0 ? Number(spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).stdout) : undefined;
  if (uid !== undefined) chownSync(folder, uid, uid);
  const as = uid === undefined ? {} : { uid };
  const data = join(folder, 'data');
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'ponte', '-A', 'trust'], {
    ...as,
    encoding: 'utf8',
    cwd: folder,
  });
  if (made.status !== 0) throw new Error(made.stderr);
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
    ...as,
    stdio: 'ignore',
    cwd: folder,
  });
  const pool = new Pool({ host: folder, user: 'ponte', database: 'postgres', max: CALLERS });
  pool.on('error', () => undefined);
  try {
    await accepting(pool);
    await prepare(pool);
    return await post(pool);
  } finally {
    await pool.end();
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

function binaries(): string | undefined {
  const newest = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  const bin = newest && join(DEBIAN, newest, 'bin');
  return bin && existsSync(join(bin, 'initdb')) ? bin : undefined;
}

async function accepting(pool: Pool): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await pool.query('SELECT 1');
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await wait(50);
    }
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
