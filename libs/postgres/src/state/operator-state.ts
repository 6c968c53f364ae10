import type { KeptCheckpoint, OperatorState, ReaderTrouble, ActionRow } from '@ponte/event-sourcing';
import { BEGINNING, actionOf, knownOf } from '@ponte/event-sourcing';
import type { Postgres } from '../postgres';

const ASK =
  'INSERT INTO operator_actions (id, verb, subject, actor, reason, asked_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING';
const OPEN = 'SELECT * FROM operator_actions WHERE taken_by IS NULL AND ended_at IS NULL ORDER BY asked_at, id';
/** The second try of one whose answer was lost finds that it took it. */
const TAKE =
  'UPDATE operator_actions SET taken_by = $1 WHERE id = $2 AND (taken_by IS NULL OR taken_by = $1) AND ended_at IS NULL RETURNING id';
const END = 'UPDATE operator_actions SET ended_at = $1, succeeded = $2, detail = $3 WHERE id = $4 AND ended_at IS NULL';
const FIND = 'SELECT * FROM operator_actions WHERE id = $1';
const CARRIED_OUT = 'SELECT * FROM operator_actions WHERE verb = $1 AND succeeded = 1 ORDER BY asked_at, id';
const LIST = 'SELECT * FROM operator_actions ORDER BY asked_at DESC, id DESC LIMIT $1';
const CHECKPOINTS = 'SELECT reader, position, fence FROM checkpoints ORDER BY reader';
const PLACE = `
  INSERT INTO checkpoints (reader, position, fence) VALUES ($1, $2, $3)
  ON CONFLICT (reader) DO UPDATE SET position = excluded.position, fence = greatest(checkpoints.fence, excluded.fence)`;
const TROUBLES = 'SELECT reader, trouble, since FROM reader_troubles ORDER BY reader';

/** What operators see and do, in the schema of a service. */
export const postgresOperatorState = (postgres: Postgres): OperatorState => ({
  actions: {
    async ask({ id, verb, subject, actor, reason, askedAt }) {
      await postgres.query(ASK, [id, verb, JSON.stringify(subject), actor, reason, askedAt]);
    },
    open: async () => (await postgres.query<ActionRow>(OPEN)).map(actionOf),
    take: async (id, by) => (await postgres.query(TAKE, [by, id])).length > 0,
    async end(id, { succeeded, detail }, at) {
      await postgres.query(END, [at, succeeded ? 1 : 0, detail, id]);
    },
    async find(id) {
      const [row] = await postgres.query<ActionRow>(FIND, [id]);
      return row && knownOf(row);
    },
    carriedOut: async (verb) => (await postgres.query<ActionRow>(CARRIED_OUT, [verb])).map(knownOf),
    list: async (limit) => (await postgres.query<ActionRow>(LIST, [limit])).map(knownOf),
  },
  checkpoints: () => postgres.query<KeptCheckpoint>(CHECKPOINTS),
  async place(reader, position, fence) {
    await postgres.query(PLACE, [reader, position ?? BEGINNING, fence]);
  },
  troubles: () => postgres.query<ReaderTrouble>(TROUBLES),
});
