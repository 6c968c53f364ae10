import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { AccountRequestFact, HistoryEntry, ListReviewQueue, QueuePage } from '@ponte/contracts';
import { ACCOUNT_REQUEST_EVENTS } from '@ponte/contracts';
import type { EventStore, PayloadOf } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import { isUuid, refuse } from '@ponte/kernel';
import { EVENT_STORE } from '@ponte/nest';
import { accountRequest } from '../domain/account-request/account-request';
import { historyEntry } from '../domain/account-request/history';
import type { ReviewQueue } from '../ports/account-requests-table';
import { REVIEW_QUEUE } from '../ports/account-requests-table';
import { QueueItems } from '../views/queue-items';

const MAX_PAGE = 200;

export class ListReviewQueueQuery extends Query<QueuePage> {
  constructor(readonly payload: PayloadOf<typeof ListReviewQueue>) { super(); }
}

@QueryHandler(ListReviewQueueQuery)
export class ListReviewQueueHandler implements IQueryHandler<ListReviewQueueQuery> {
  constructor(@Inject(REVIEW_QUEUE) private readonly queue: ReviewQueue, private readonly items: QueueItems) {}

  async execute({ payload }: ListReviewQueueQuery): Promise<QueuePage> {
    if (!Number.isInteger(payload.limit) || payload.limit < 1 || payload.limit > MAX_PAGE) refuse('invalid-limit', `1 to ${MAX_PAGE} is wanted`, 'limit');
    const [{ items, next }, counts] = await Promise.all([this.queue.page(payload), this.queue.counts()]);
    return { items: await this.items.ofRows(items), next, counts };
  }
}

export class GetReviewHistoryQuery extends Query<{ entries: readonly HistoryEntry[] } | null> {
  constructor(readonly requestId: string) { super(); }
}

/** What happened, oldest first, without anything personal. */
@QueryHandler(GetReviewHistoryQuery)
export class GetReviewHistoryHandler implements IQueryHandler<GetReviewHistoryQuery> {
  private readonly current = upcaster(ACCOUNT_REQUEST_EVENTS);

  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  async execute({ requestId }: GetReviewHistoryQuery): Promise<{ entries: readonly HistoryEntry[] } | null> {
    if (!isUuid(requestId)) return null;
    const recorded = await this.store.read(streamName(accountRequest.category, requestId));
    return recorded.length === 0 ? null : { entries: recorded.map((event) => historyEntry(this.current<AccountRequestFact>(event))) };
  }
}
