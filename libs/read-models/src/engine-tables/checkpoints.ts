import type { Checkpoints } from '@ponte/event-sourcing';
import type { QueryExecutorProvider } from 'kysely';
import { sql } from 'kysely';

/** The positions of readers and the failures that block them, for SQLite and PostgreSQL. */
export const createCheckpoints = (db: QueryExecutorProvider): Checkpoints => ({
  async load(reader) {
    const { rows } = await sql<{ position: string }>`
      SELECT position FROM checkpoints WHERE reader = ${reader}`.execute(db);
    // An empty text means that an operator moved the reader to the beginning.
    return rows[0]?.position || undefined;
  },
  async save(reader, position, fence = 0) {
    const { numAffectedRows = 0n } = await sql`
      INSERT INTO checkpoints (reader, position, fence) VALUES (${reader}, ${position}, ${fence})
      ON CONFLICT (reader) DO UPDATE SET position = excluded.position, fence = excluded.fence
      WHERE checkpoints.fence <= excluded.fence`.execute(db);
    return numAffectedRows > 0n;
  },
  async trouble(reader, trouble, at) {
    if (trouble === null) await sql`DELETE FROM reader_troubles WHERE reader = ${reader}`.execute(db);
    else
      await sql`
        INSERT INTO reader_troubles (reader, trouble, since) VALUES (${reader}, ${trouble}, ${at})
        ON CONFLICT (reader) DO UPDATE SET trouble = excluded.trouble`.execute(db);
  },
});
