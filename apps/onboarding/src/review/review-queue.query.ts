import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type {
  AccountRequestEvent,
  ListReviewQueue,
  QueuePage,
  ReviewHistory,
  GetReviewHistory,
} from '@ponte/contracts';
import { ACCOUNT_REQUEST_EVENTS } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { fold, streamName, upcaster } from '@ponte/event-sourcing';
import { isUuid, refuse } from '@ponte/kernel';
import { EVENT_STORE, RequestQuery } from '@ponte/nest';
import { LivenessSessions } from '../liveness/liveness-sessions.service';
import { RequestTraits } from '../duplicates/request-traits.service';
import { accountRequest } from '../account-request/account-request.decider';
import { checklist, historyEntry } from './history.domain';
import { isOpenRequest } from '../account-request/account-request.state';
import { ReviewQueue } from './review-queue.read-model';
import { QueueItems } from './queue-items.service';

const MAX_PAGE = 200;

export class ListReviewQueueQuery extends RequestQuery<typeof ListReviewQueue> {}

@QueryHandler(ListReviewQueueQuery)
export class ListReviewQueueHandler implements IQueryHandler<ListReviewQueueQuery> {
  constructor(
    private readonly queue: ReviewQueue,
    private readonly items: QueueItems,
  ) {}

  async execute({ payload }: ListReviewQueueQuery): Promise<QueuePage> {
    if (!Number.isInteger(payload.limit) || payload.limit < 1 || payload.limit > MAX_PAGE)
      refuse('invalid-limit', `must be a whole number from 1 to ${MAX_PAGE}`, 'limit');
    const [{ items, next }, counts] = await Promise.all([this.queue.page(payload), this.queue.counts()]);
    return { items: await this.items.ofRows(items), next, counts };
  }
}

export class GetReviewHistoryQuery extends RequestQuery<typeof GetReviewHistory> {}

/** The events of a case, oldest first, and its current state, without personal data. */
@QueryHandler(GetReviewHistoryQuery)
export class GetReviewHistoryHandler implements IQueryHandler<GetReviewHistoryQuery> {
  private readonly current = upcaster(ACCOUNT_REQUEST_EVENTS);

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly items: QueueItems,
    private readonly sessions: LivenessSessions,
    private readonly traits: RequestTraits,
  ) {}

  async execute({ payload: { requestId } }: GetReviewHistoryQuery): Promise<ReviewHistory | null> {
    if (!isUuid(requestId)) return null;
    const recorded = (await this.store.read(streamName(accountRequest.category, requestId))).map((event) =>
      this.current<AccountRequestEvent>(event),
    );
    const state = fold(accountRequest, accountRequest.initial, recorded);
    if (!isOpenRequest(state)) return null;
    return {
      entries: recorded.map(historyEntry),
      item: await this.items.of(state),
      checklist: checklist(state, await this.sessions.sharersOf(state), await this.traits.duplicatesOf(state)),
      approvals: state.approvals,
    };
  }
}
