import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

const STEP_MS = 50;

/** One statement on a connection of its own; the first value of the first row. */
export async function ask(url: string, statement: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // A server that dies during a statement rejects it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return String(Object.values(rows[0] ?? {})[0] ?? '');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** `15.18`, once the server answers. Rejects with its last error at the deadline, or once the server has ended. */
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
      if (hasEnded()) throw new Error('PostgreSQL ended while it started', { cause: error });
      if (Date.now() >= deadline) throw error;
    }
    await pause(STEP_MS);
  }
}
