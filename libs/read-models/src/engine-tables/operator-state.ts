import type {
  KeptCheckpoint,
  KnownAction,
  OperatorAction,
  OperatorActions,
  OperatorState,
  ReaderTrouble,
} from '@ponte/event-sourcing';
import type { QueryExecutorProvider } from 'kysely';
import { sql } from 'kysely';

/**
 * The stored position of a reader that was moved to the beginning. Its row is kept because its fence prevents the
 * earlier holder from writing.
 */
const BEGINNING = '';

interface ActionRow {
  readonly id: string;
  readonly verb: string;
  readonly subject: string;
  readonly actor: string;
  readonly reason: string;
  readonly asked_at: string;
  readonly taken_by: string | null;
  readonly ended_at: string | null;
  readonly succeeded: number | null;
  readonly detail: string | null;
}

/** The operators' actions and their view of the readers, for SQLite and PostgreSQL. */
export const createOperatorState = (db: QueryExecutorProvider): OperatorState => ({
  actions: operatorActions(db),
  async checkpoints() {
    return (await sql<KeptCheckpoint>`SELECT reader, position, fence FROM checkpoints ORDER BY reader`.execute(db))
      .rows;
  },
  async place(reader, position, fence) {
    await sql`
      INSERT INTO checkpoints (reader, position, fence) VALUES (${reader}, ${position ?? BEGINNING}, ${fence})
      ON CONFLICT (reader) DO UPDATE SET
        position = excluded.position,
        fence = CASE WHEN checkpoints.fence < excluded.fence THEN excluded.fence ELSE checkpoints.fence END`.execute(
      db,
    );
  },
  async troubles() {
    return (await sql<ReaderTrouble>`SELECT reader, trouble, since FROM reader_troubles ORDER BY reader`.execute(db))
      .rows;
  },
});

const operatorActions = (db: QueryExecutorProvider): OperatorActions => ({
  async ask({ id, verb, subject, actor, reason, askedAt }) {
    await sql`
      INSERT INTO operator_actions (id, verb, subject, actor, reason, asked_at)
      VALUES (${id}, ${verb}, ${JSON.stringify(subject)}, ${actor}, ${reason}, ${askedAt})
      ON CONFLICT DO NOTHING`.execute(db);
  },
  async open() {
    const { rows } = await sql<ActionRow>`
      SELECT * FROM operator_actions WHERE taken_by IS NULL AND ended_at IS NULL ORDER BY asked_at, id`.execute(db);
    return rows.map(actionOf);
  },
  async take(id, by) {
    // Taking it again under the same name succeeds, for a repetition after a lost answer.
    const { numAffectedRows = 0n } = await sql`
      UPDATE operator_actions SET taken_by = ${by}
      WHERE id = ${id} AND (taken_by IS NULL OR taken_by = ${by}) AND ended_at IS NULL`.execute(db);
    return numAffectedRows > 0n;
  },
  async end(id, { succeeded, detail }, at) {
    await sql`
      UPDATE operator_actions SET ended_at = ${at}, succeeded = ${succeeded ? 1 : 0}, detail = ${detail}
      WHERE id = ${id} AND ended_at IS NULL`.execute(db);
  },
  async find(id) {
    const { rows } = await sql<ActionRow>`SELECT * FROM operator_actions WHERE id = ${id}`.execute(db);
    return rows.map(knownOf)[0];
  },
  async forget(verbs, id, askedBefore) {
    await sql`
      DELETE FROM operator_actions
      WHERE verb IN (${sql.join(['', ...verbs])}) AND (id = ${id} OR asked_at < ${askedBefore})`.execute(db);
  },
  async succeeded(verb) {
    const { rows } = await sql<ActionRow>`
      SELECT * FROM operator_actions WHERE verb = ${verb} AND succeeded = 1 ORDER BY asked_at, id`.execute(db);
    return rows.map(knownOf);
  },
  async list(limit, except = []) {
    const { rows } = await sql<ActionRow>`
      SELECT * FROM operator_actions WHERE verb NOT IN (${sql.join(['', ...except])})
      ORDER BY asked_at DESC, id DESC LIMIT ${limit}`.execute(db);
    return rows.map(knownOf);
  },
});

const actionOf = ({ id, verb, subject, actor, reason, asked_at: askedAt }: ActionRow): OperatorAction => ({
  id,
  verb,
  subject: JSON.parse(subject) as OperatorAction['subject'],
  actor,
  reason,
  askedAt,
});

const knownOf = (row: ActionRow): KnownAction => ({
  ...actionOf(row),
  takenBy: row.taken_by,
  outcome:
    row.ended_at === null ? null : { endedAt: row.ended_at, succeeded: row.succeeded === 1, detail: row.detail ?? '' },
});
