import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

const STEP_MS = 50;

/** Runs a statement on its own connection and returns the first value of the first row. */
export async function ask(url: string, statement: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // When the server ends during a statement, the statement rejects, so this event is ignored.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return String(Object.values(rows[0] ?? {})[0] ?? '');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Waits for the server and returns its version, such as `15.18`. Rejects at the deadline or when the server has ended.
 */
export async function serverVersion(
  url: string,
  patienceMs: number,
  hasEnded: () => boolean = () => false,
): Promise<string> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await ask(url, 'SHOW server_version');
    } catch (error) {
      if (hasEnded()) throw new Error('PostgreSQL ended during its start', { cause: error });
      if (Date.now() >= deadline) throw error;
    }
    await pause(STEP_MS);
  }
}
