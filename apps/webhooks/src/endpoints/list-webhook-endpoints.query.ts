import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListWebhookEndpoints, Page, PageCursor, PageRequest, WebhookEndpointRecord } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import type { Endpoints } from './endpoints.state';
import { endpointRecord } from './endpoint.record';
import { AccountEndpoints } from './account-endpoints.service';

export class ListWebhookEndpointsQuery extends RequestQuery<typeof ListWebhookEndpoints> {}

/** Reads the stream, so the list is always current: there are at most ten endpoints, and the stream is in memory. */
@QueryHandler(ListWebhookEndpointsQuery)
export class ListWebhookEndpointsHandler implements IQueryHandler<ListWebhookEndpointsQuery> {
  constructor(
    private readonly endpoints: AccountEndpoints,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, page },
  }: ListWebhookEndpointsQuery): Promise<ReplyOf<typeof ListWebhookEndpoints>> {
    return pageOf((await this.endpoints.load(accountId)).byId, page, isoTime(this.clock.now()));
  }
}

/** Newest first by (created-at, id). */
function pageOf(
  endpoints: Endpoints['byId'],
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
