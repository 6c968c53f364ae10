import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetWebhookDelivery } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { DeliveryRecords } from './delivery-records.service';

/** Null when the account has no such delivery. */
export class GetWebhookDeliveryQuery extends RequestQuery<typeof GetWebhookDelivery> {}

@QueryHandler(GetWebhookDeliveryQuery)
export class GetWebhookDeliveryHandler implements IQueryHandler<GetWebhookDeliveryQuery> {
  constructor(private readonly records: DeliveryRecords) {}

  async execute({
    payload: { accountId, deliveryId },
  }: GetWebhookDeliveryQuery): Promise<ReplyOf<typeof GetWebhookDelivery>> {
    const [record] = await this.records.of(accountId, [deliveryId]);
    return record ?? null;
  }
}
