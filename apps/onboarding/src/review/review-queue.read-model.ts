import { Injectable } from '@nestjs/common';
import type { AccountRequestStatus, ListReviewQueue, Page, Timestamp } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import type { RowQuery } from '@ponte/read-models';
import { sql } from 'kysely';
import type { AccountRequestRow } from '../account-request/account-requests.read-model';
import { AccountRequestReadModel } from '../account-request/account-requests.read-model';

export type QueueRequest = PayloadOf<typeof ListReviewQueue>;

/** A request in screening, which waits for vendors, or any other due request. */
export type DueKind = 'screening' | 'other';

/** A request that a timer has to process. */
export interface DueRequest {
  readonly id: string;
  readonly parentId: string;
  readonly dueAt: Timestamp;
  /** When the stage of the request began. */
  readonly since: Timestamp;
}

/** The last request of a page of due requests. */
export type DueCursor = Pick<DueRequest, 'dueAt' | 'id'>;

interface DueQuery {
  readonly kind: DueKind;
  readonly now: Timestamp;
  /** Null for the first page. */
  readonly after: DueCursor | null;
  readonly limit: number;
}

/** Counts leave out ended requests: their ever growing number would slow down every read of the queue. */
const OPEN: readonly AccountRequestStatus[] = ['pending', 'approved', 'provisioning-failed'];

/** Queries over the requests of all partners. */
@Injectable()
export class ReviewQueue {
  constructor(private readonly requests: AccountRequestReadModel) {}

  async page(request: QueueRequest): Promise<Page<AccountRequestRow>> {
    const { limit, order } = request;
    const direction = order === 'oldest' ? 'asc' : 'desc';
    const rows = await this.requests.table.select((all) =>
      filtered(all, request)
        .orderBy('created_at', direction)
        .orderBy('id', direction)
        .limit(limit + 1),
    );
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return { items, next: rows.length > limit && last ? { createdAt: last.created_at, id: last.id } : null };
  }

  /** Counts the open requests: pending ones by stage, the others by status. */
  async counts(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.requests.table.rows
      .where('status', 'in', OPEN)
      .select(({ fn }) => [sql<string>`coalesce(stage, status)`.as('standing'), fn.countAll().as('count')])
      .groupBy(sql`coalesce(stage, status)`)
      .execute();
    return Object.fromEntries(rows.map(({ standing, count }) => [standing, Number(count)]));
  }

  /** Since when the oldest pending request of each stage has been in it; absent for a stage without requests. */
  async oldest(): Promise<Readonly<Record<string, Timestamp>>> {
    const rows = await this.requests.table.rows
      .where('status', '=', 'pending')
      .select(({ fn }) => ['stage', fn.min('stage_since').as('since')])
      .groupBy('stage')
      .execute();
    return Object.fromEntries(rows.map(({ stage, since }) => [stage ?? '', since]));
  }

  /** A page of the requests that a timer has to process, longest due first. */
  async due({ kind, now, after, limit }: DueQuery): Promise<readonly DueRequest[]> {
    const due = this.requests.table.rows
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
  }
}

function filtered(all: RowQuery<AccountRequestRow>, { filters, order, cursor }: QueueRequest) {
  const { statuses, stages, assignedTo, parentId, escalated, causes = [], createdBefore, createdAfter } = filters;
  let narrowed = all;
  if (statuses.length > 0) narrowed = narrowed.where('status', 'in', statuses);
  if (stages.length > 0) narrowed = narrowed.where('stage', 'in', stages);
  if (assignedTo === 'none') narrowed = narrowed.where('assigned_to', 'is', null);
  else if (assignedTo !== null) narrowed = narrowed.where('assigned_to', '=', assignedTo);
  if (parentId !== null) narrowed = narrowed.where('parent_id', '=', parentId);
  if (escalated !== null) narrowed = narrowed.where(sql<boolean>`escalated = ${escalated ? 1 : 0}`);
  // The column holds a JSON list of words. No word contains another, so `like` is exact.
  if (causes.length > 0)
    narrowed = narrowed.where(({ or }) => or(causes.map((cause) => sql<boolean>`causes like ${`%"${cause}"%`}`)));
  if (createdBefore !== null) narrowed = narrowed.where('created_at', '<=', createdBefore);
  if (createdAfter !== null) narrowed = narrowed.where('created_at', '>=', createdAfter);
  if (cursor === null) return narrowed;
  return order === 'oldest'
    ? narrowed.where(sql<boolean>`(created_at, id) > (${cursor.createdAt}, ${cursor.id})`)
    : narrowed.where(sql<boolean>`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`);
}
