import { Post, Req } from '@nestjs/common';
import { ChangeWebhookFaults } from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { pathEndpoint } from '../path';
import {
  FAULTS_EXAMPLE,
  FAULTS_REQUEST_EXAMPLE,
  faultsDto,
  WebhookFaultsEnvelopeDto,
  WebhookFaultsRequestDto,
} from './webhook-faults.dto';

/** Makes webhook deliveries fail on purpose. A production process does not have this route. */
@Resource('api/v1/accounts/:accountId/webhook-endpoints/:id/faults', 'sandbox')
export class WebhookFaultsController {
  constructor(private readonly services: Services) {}

  @Operation({
    id: 'change-webhook-faults',
    summary: 'Set the faults of deliveries to an endpoint; an empty object ends all faults',
    reach: 'account',
    body: described(WebhookFaultsRequestDto, FAULTS_REQUEST_EXAMPLE),
    answer: described(WebhookFaultsEnvelopeDto, FAULTS_EXAMPLE),
    errors: ['webhook-endpoint-not-found'],
  })
  @Post()
  async change(@Req() { call, params, body }: AccountRequest): Promise<WebhookFaultsEnvelopeDto> {
    const sent = body as WebhookFaultsRequestDto;
    const faults = {
      delayMs: sent['delay-ms'] ?? 0,
      duplicate: sent.duplicate ?? false,
      reorder: sent.reorder ?? false,
      badSignature: sent['bad-signature'] ?? false,
      respond500Minutes: sent['respond-500-minutes'] ?? 0,
    };
    const payload = { accountId: call.accountId, endpointId: pathEndpoint(params), faults };
    const changed = await this.services.request(ChangeWebhookFaults, payload, call);
    return { 'webhook-faults': faultsDto(found(changed, 'webhook-endpoint-not-found')) };
  }
}
