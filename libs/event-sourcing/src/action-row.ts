import type { KnownAction, OperatorAction } from './ports/operator';

/** An operator's action as it lies in a table of either database. */
export interface ActionRow {
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

export const actionOf = ({ id, verb, subject, actor, reason, asked_at: askedAt }: ActionRow): OperatorAction => ({
  id,
  verb,
  subject: JSON.parse(subject) as OperatorAction['subject'],
  actor,
  reason,
  askedAt,
});

export const knownOf = (row: ActionRow): KnownAction => ({
  ...actionOf(row),
  takenBy: row.taken_by,
  outcome:
    row.ended_at === null ? null : { endedAt: row.ended_at, succeeded: row.succeeded === 1, detail: row.detail ?? '' },
});
