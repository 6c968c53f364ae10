import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ListWebhookDeliveries, Page, WebhookDeliveryRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { AccountEndpoints } from '../dispatch/account-endpoints';
import { DeliveriesView } from './deliveries.read-model';
import { DeliveryRecords } from './delivery-records';

/** Null when the account has no such endpoint. */
export class ListWebhookDeliveriesQuery extends Query<Page<WebhookDeliveryRecord> | null> {
  constructor(readonly payload: PayloadOf<typeof ListWebhookDeliveries>) {
    super();
  }
}

@QueryHandler(ListWebhookDeliveriesQuery)
export class ListWebhookDeliveriesHandler implements IQueryHandler<ListWebhookDeliveriesQuery> {
  constructor(
    @Inject(AccountEndpoints) private readonly endpoints: AccountEndpoints,
    @Inject(DeliveriesView) private readonly view: DeliveriesView,
    @Inject(DeliveryRecords) private readonly records: DeliveryRecords,
  ) {}

  async execute({ payload }: ListWebhookDeliveriesQuery): Promise<Page<WebhookDeliveryRecord> | null> {
    const { accountId, endpointId, filters, page } = payload;
    if (!(await this.endpoints.find(accountId, endpointId))) return null;
    const { ids, next } = await this.view.page(endpointId, filters, page);
    return { items: await this.records.of(accountId, ids), next };
  }
}
