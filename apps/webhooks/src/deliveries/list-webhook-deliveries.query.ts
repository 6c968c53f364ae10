import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import { KeyedQueue } from '@ponte/concurrency';
import type { ListWebhookDeliveries } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { RequestQuery, SYSTEM_CLOCK } from '@ponte/nest';
import { AccountEndpoints } from '../endpoints/account-endpoints.service';
import { DeliveryReadModel } from './deliveries.read-model';
import { DeliveryRecords } from './delivery-records.service';

/** Pages that are read at the same time. Others wait, so that lists do not delay deliveries that are being sent. */
const PAGES_AT_ONCE = 4;

/** Null when the account has no such endpoint. */
export class ListWebhookDeliveriesQuery extends RequestQuery<typeof ListWebhookDeliveries> {}

@QueryHandler(ListWebhookDeliveriesQuery)
export class ListWebhookDeliveriesHandler implements IQueryHandler<ListWebhookDeliveriesQuery> {
  /** One page of an account at a time, so that an account with many requests does not delay the lists of others. */
  private readonly pages = new KeyedQueue(PAGES_AT_ONCE, () => undefined); // Errors go to the callers of `once`.

  constructor(
    private readonly endpoints: AccountEndpoints,
    private readonly readModel: DeliveryReadModel,
    private readonly records: DeliveryRecords,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  execute(query: ListWebhookDeliveriesQuery): Promise<ReplyOf<typeof ListWebhookDeliveries>> {
    return this.pages.once(query.payload.accountId, () => this.list(query));
  }

  private async list({ payload, context }: ListWebhookDeliveriesQuery): Promise<ReplyOf<typeof ListWebhookDeliveries>> {
    // The caller has stopped waiting, and reads for it would only delay others.
    if (context.deadline !== undefined && this.systemClock.now() > context.deadline)
      throw new Unavailable('service-unavailable');
    const { accountId, endpointId, filters, page } = payload;
    if (!(await this.endpoints.find(accountId, endpointId))) return null;
    const { ids, rows, next } = await this.readModel.page(endpointId, filters, page);
    return { items: await this.records.of(accountId, ids, rows), next };
  }
}
