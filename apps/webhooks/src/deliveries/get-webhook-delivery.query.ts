import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { GetWebhookDelivery, WebhookDeliveryRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { DeliveryRecords } from './delivery-records';

/** Null when the account has no such delivery. */
export class GetWebhookDeliveryQuery extends Query<WebhookDeliveryRecord | null> {
  constructor(readonly payload: PayloadOf<typeof GetWebhookDelivery>) {
    super();
  }
}

@QueryHandler(GetWebhookDeliveryQuery)
export class GetWebhookDeliveryHandler implements IQueryHandler<GetWebhookDeliveryQuery> {
  constructor(@Inject(DeliveryRecords) private readonly records: DeliveryRecords) {}

  async execute({
    payload: { accountId, deliveryId },
  }: GetWebhookDeliveryQuery): Promise<WebhookDeliveryRecord | null> {
    const [record] = await this.records.of(accountId, [deliveryId]);
    return record ?? null;
  }
}
