import type { AccountRequestStatus } from '@ponte/contracts';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { AccountRequestRow, QueueRequest, ReviewQueue } from '../account-request/account-requests-table.port';

type Stored = Omit<AccountRequestRow, 'causes' | 'four_eyes' | 'escalated'> & {
  causes: string;
  four_eyes: number;
  escalated: number;
};
interface Schema {
  onboarding_account_requests: Stored;
}
/** Counts leave out ended requests: their ever growing number would slow down every read of the queue. */
const OPEN: readonly AccountRequestStatus[] = ['pending', 'approved', 'provisioning-failed'];
type Query = SelectQueryBuilder<Schema, 'onboarding_account_requests', Stored>;

/** Queries the table of account requests, in either SQL dialect. */
export function createReviewQueue(readModels: Kysely<unknown>): ReviewQueue {
  const db = readModels as Kysely<Schema>;
  return {
    async page(request) {
      const { limit, order } = request;
      const direction = order === 'oldest' ? 'asc' : 'desc';
      const rows = await filtered(db.selectFrom('onboarding_account_requests').selectAll(), request)
        .orderBy('created_at', direction)
        .orderBy('id', direction)
        .limit(limit + 1)
        .execute();
      const items = rows.slice(0, limit).map(rowOf);
      const last = items.at(-1);
      return { items, next: rows.length > limit && last ? { createdAt: last.created_at, id: last.id } : null };
    },
    async counts() {
      const rows = await db
        .selectFrom('onboarding_account_requests')
        .where('status', 'in', [...OPEN])
        .select(({ fn }) => [sql<string>`coalesce(stage, status)`.as('standing'), fn.countAll().as('count')])
        .groupBy(sql`coalesce(stage, status)`)
        .execute();
      return Object.fromEntries(rows.map(({ standing, count }) => [standing, Number(count)]));
    },
    async oldest() {
      const rows = await db
        .selectFrom('onboarding_account_requests')
        .where('status', '=', 'pending')
        .select(({ fn }) => ['stage', fn.min('stage_since').as('since')])
        .groupBy('stage')
        .execute();
      return Object.fromEntries(rows.map(({ stage, since }) => [stage ?? '', since]));
    },
    async due({ kind, now, after, limit }) {
      const due = db
        .selectFrom('onboarding_account_requests')
        .select(['id', 'parent_id', 'due_at', 'stage_since'])
        .where(
          kind === 'screening' ? sql<boolean>`stage = 'screening'` : sql<boolean>`coalesce(stage, '') <> 'screening'`,
        )
        .where('due_at', 'is not', null)
        .where('due_at', '<=', now);
      const rows = await (after === null ? due : due.where(sql<boolean>`(due_at, id) > (${after.dueAt}, ${after.id})`))
        .orderBy('due_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, parent_id: parentId, due_at, stage_since: since }) => ({
        ...{ id, parentId, since },
        // The query selects no row without it.
        dueAt: due_at ?? since,
      }));
    },
  };
}

function filtered(query: Query, { filters, order, cursor }: QueueRequest): Query {
  const { statuses, stages, assignedTo, parentId, escalated, causes = [], createdBefore, createdAfter } = filters;
  let narrowed = query;
  if (statuses.length > 0) narrowed = narrowed.where('status', 'in', [...statuses]);
  if (stages.length > 0) narrowed = narrowed.where('stage', 'in', [...stages]);
  if (assignedTo === 'none') narrowed = narrowed.where('assigned_to', 'is', null);
  else if (assignedTo !== null) narrowed = narrowed.where('assigned_to', '=', assignedTo);
  if (parentId !== null) narrowed = narrowed.where('parent_id', '=', parentId);
  if (escalated !== null) narrowed = narrowed.where('escalated', '=', escalated ? 1 : 0);
  // The column holds a JSON list of words. No word contains another, so `like` is exact.
  if (causes.length > 0)
    narrowed = narrowed.where(({ or, eb }) => or(causes.map((cause) => eb('causes', 'like', `%"${cause}"%`))));
  if (createdBefore !== null) narrowed = narrowed.where('created_at', '<=', createdBefore);
  if (createdAfter !== null) narrowed = narrowed.where('created_at', '>=', createdAfter);
  if (cursor === null) return narrowed;
  return order === 'oldest'
    ? narrowed.where(sql<boolean>`(created_at, id) > (${cursor.createdAt}, ${cursor.id})`)
    : narrowed.where(sql<boolean>`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`);
}

const rowOf = (row: Stored): AccountRequestRow => ({
  ...row,
  causes: JSON.parse(row.causes) as AccountRequestRow['causes'],
  four_eyes: Number(row.four_eyes) === 1,
  escalated: Number(row.escalated) === 1,
  approvals: Number(row.approvals),
  revision: Number(row.revision),
});
