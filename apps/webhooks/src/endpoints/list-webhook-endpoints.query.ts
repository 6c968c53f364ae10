import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ListWebhookEndpoints, Page, PageCursor, PageRequest, WebhookEndpointRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import type { Endpoints } from './endpoints.decider';
import { endpointsDecider } from './endpoints.decider';
import { endpointRecord } from './endpoint.record';

export class ListWebhookEndpointsQuery extends Query<Page<WebhookEndpointRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListWebhookEndpoints>) {
    super();
  }
}

/** There are at most ten, and their stream is in memory, so no view stands between a change and the list. */
@QueryHandler(ListWebhookEndpointsQuery)
export class ListWebhookEndpointsHandler implements IQueryHandler<ListWebhookEndpointsQuery> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { accountId, page } }: ListWebhookEndpointsQuery): Promise<Page<WebhookEndpointRecord>> {
    const { state } = await this.aggregates.load(endpointsDecider, accountId);
    return pageOf(state, page, isoTime(this.clock.now()));
  }
}

/** Newest first by (created-at, id). */
export function pageOf(
  endpoints: Endpoints,
  { limit, cursor, createdFrom, createdTo }: PageRequest,
  now: string,
): Page<WebhookEndpointRecord> {
  const listed = [...endpoints.values()]
    .map((endpoint) => endpointRecord(endpoint, now))
    .filter(
      ({ createdAt }) =>
        (createdFrom === null || createdAt >= createdFrom) && (createdTo === null || createdAt <= createdTo),
    )
    .filter((record) => cursor === null || isOlder(record, cursor))
    .sort((a, b) => (isOlder(a, b) ? 1 : -1));
  const items = listed.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && listed.length > items.length ? { createdAt: last.createdAt, id: last.id } : null };
}

const isOlder = (a: PageCursor, b: PageCursor): boolean =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;
