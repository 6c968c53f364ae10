import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetWebhookEndpoint } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { AccountEndpoints } from './account-endpoints.service';
import { endpointRecord } from './endpoint.record';

/** Null when the account has no such endpoint. */
export class GetWebhookEndpointQuery extends RequestQuery<typeof GetWebhookEndpoint> {}

@QueryHandler(GetWebhookEndpointQuery)
export class GetWebhookEndpointHandler implements IQueryHandler<GetWebhookEndpointQuery> {
  constructor(
    private readonly endpoints: AccountEndpoints,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, endpointId },
  }: GetWebhookEndpointQuery): Promise<ReplyOf<typeof GetWebhookEndpoint>> {
    const endpoint = await this.endpoints.find(accountId, endpointId);
    return endpoint ? endpointRecord(endpoint, isoTime(this.clock.now())) : null;
  }
}
