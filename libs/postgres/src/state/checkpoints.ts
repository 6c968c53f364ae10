import type { Checkpoints } from '@ponte/event-sourcing';
import type { Postgres } from '../postgres';

const LOAD = 'SELECT position FROM checkpoints WHERE reader = $1';
const SAVE = `
  INSERT INTO checkpoints (reader, position, fence) VALUES ($1, $2, $3)
  ON CONFLICT (reader) DO UPDATE SET position = excluded.position, fence = excluded.fence WHERE checkpoints.fence <= excluded.fence
  RETURNING fence`;

const ILL =
  'INSERT INTO reader_troubles (reader, trouble, since) VALUES ($1, $2, $3) ON CONFLICT (reader) DO UPDATE SET trouble = excluded.trouble';
const WELL = 'DELETE FROM reader_troubles WHERE reader = $1';

export const postgresCheckpoints = (postgres: Postgres): Checkpoints => ({
  load: async (reader) => (await postgres.query<{ position: string }>(LOAD, [reader]))[0]?.position || undefined,
  save: async (reader, position, fence = 0) => (await postgres.query(SAVE, [reader, position, fence])).length > 0,
  async trouble(reader, trouble, at) {
    await (trouble === null ? postgres.query(WELL, [reader]) : postgres.query(ILL, [reader, trouble, at]));
  },
});
