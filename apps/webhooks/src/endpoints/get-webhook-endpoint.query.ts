import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { GetWebhookEndpoint, WebhookEndpointRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { AccountEndpoints } from '../dispatch/account-endpoints';
import { endpointRecord } from './endpoint.record';

/** Null when the account has no such endpoint. */
export class GetWebhookEndpointQuery extends Query<WebhookEndpointRecord | null> {
  constructor(readonly payload: PayloadOf<typeof GetWebhookEndpoint>) {
    super();
  }
}

@QueryHandler(GetWebhookEndpointQuery)
export class GetWebhookEndpointHandler implements IQueryHandler<GetWebhookEndpointQuery> {
  constructor(
    @Inject(AccountEndpoints) private readonly endpoints: AccountEndpoints,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, endpointId },
  }: GetWebhookEndpointQuery): Promise<WebhookEndpointRecord | null> {
    const endpoint = await this.endpoints.find(accountId, endpointId);
    return endpoint ? endpointRecord(endpoint, isoTime(this.clock.now())) : null;
  }
}
