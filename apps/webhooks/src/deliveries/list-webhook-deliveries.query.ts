import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListWebhookDeliveries } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { AccountEndpoints } from '../endpoints/account-endpoints';
import { DeliveryReadModel } from './deliveries.read-model';
import { DeliveryRecords } from './delivery-records';

/** Null when the account has no such endpoint. */
export class ListWebhookDeliveriesQuery extends RequestQuery<typeof ListWebhookDeliveries> {}

@QueryHandler(ListWebhookDeliveriesQuery)
export class ListWebhookDeliveriesHandler implements IQueryHandler<ListWebhookDeliveriesQuery> {
  constructor(
    private readonly endpoints: AccountEndpoints,
    private readonly readModel: DeliveryReadModel,
    private readonly records: DeliveryRecords,
  ) {}

  async execute({ payload }: ListWebhookDeliveriesQuery): Promise<ReplyOf<typeof ListWebhookDeliveries>> {
    const { accountId, endpointId, filters, page } = payload;
    if (!(await this.endpoints.find(accountId, endpointId))) return null;
    const { ids, next } = await this.readModel.page(endpointId, filters, page);
    return { items: await this.records.of(accountId, ids), next };
  }
}
