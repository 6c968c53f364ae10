import { Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CreateWebhookEndpoint, DeleteWebhookEndpoint, ListWebhookEndpoints, PingWebhookEndpoint, sealRequest } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/call';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Lists } from '../../lists/lists';
import { PageQuery } from '../../lists/page-query';
import { described, Operation, Resource } from '../../openapi/operation';
import {
  ENDPOINT_EXAMPLE, endpointDto, NewWebhookEndpointEnvelopeDto, PingEnvelopeDto, WebhookEndpointRequestDto, WebhookEndpointsDto,
} from './webhook-endpoint.dto';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PING_EXAMPLE: PingEnvelopeDto = { 'webhook-ping': { 'event-id': '7c9e6679-7425-80de-944b-e07fc1f90ae7', 'queued-at': '2026-01-31T12:00:00.000Z' } };

@Resource('api/v1/accounts/:accountId/webhook-endpoints', 'webhooks')
export class WebhookEndpointsController {
  constructor(private readonly services: Services, private readonly lists: Lists, @Inject(PERSONAL_DATA) private readonly personalData: PersonalData) {}

  @Operation({
    id: 'create-webhook-endpoint', summary: 'Have events of an account posted to a URL', reach: 'account', secretAnswer: true,
    body: described(WebhookEndpointRequestDto, { url: 'https://partner.example/hooks', 'event-types': ['order-completed'] }),
    answer: described(NewWebhookEndpointEnvelopeDto, { 'webhook-endpoint': { ...ENDPOINT_EXAMPLE, secret: SECRET } }),
    errors: ['limit-exceeded'],
  })
  @Post()
  async create(@Req() request: FastifyRequest): Promise<NewWebhookEndpointEnvelopeDto> {
    const { call } = request;
    const body = request.body as WebhookEndpointRequestDto;
    // Topics of requests keep what they carry for an hour, and a query often holds a token.
    const url = body.url.includes('?') ? await sealRequest(this.personalData, { secret: body.url }) : body.url;
    const endpoint = await this.services.request(CreateWebhookEndpoint, {
      accountId: call.accountId, endpointId: call.commandId, url, eventTypes: body['event-types'] ?? null,
    }, call);
    return { 'webhook-endpoint': { ...endpointDto(endpoint), secret: endpoint.secret } };
  }

  @Operation({
    id: 'list-webhook-endpoints', summary: "An account's endpoints", reach: 'account', query: PageQuery,
    answer: described(WebhookEndpointsDto, { 'webhook-endpoints': [ENDPOINT_EXAMPLE] }), paged: true,
  })
  @Get()
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<WebhookEndpointsDto> {
    const { call } = request;
    const page = await this.services.request(ListWebhookEndpoints, { accountId: call.accountId, page: this.lists.page(request) }, call);
    return { 'webhook-endpoints': this.lists.items(page, request, reply).map(endpointDto) };
  }

  @Operation({ id: 'delete-webhook-endpoint', summary: 'Stop sending to an endpoint', reach: 'account', status: 204, errors: ['webhook-endpoint-not-found'] })
  @Delete(':id')
  async delete(@Req() { call, params }: AccountRequest): Promise<void> {
    const { deleted } = await this.services.request(DeleteWebhookEndpoint, { accountId: call.accountId, endpointId: pathId(params) }, call);
    if (!deleted) throw notFound('webhook-endpoint-not-found');
  }

  @Operation({
    id: 'ping-webhook-endpoint', summary: 'Queue a webhook-ping', reach: 'account', status: 202,
    answer: described(PingEnvelopeDto, PING_EXAMPLE), errors: ['webhook-endpoint-not-found', 'webhook-endpoint-disabled'],
  })
  @Post(':id/ping')
  async ping(@Req() { call, params }: AccountRequest): Promise<PingEnvelopeDto> {
    const queued = await this.services.request(PingWebhookEndpoint, { accountId: call.accountId, endpointId: pathId(params) }, call);
    if (!queued) throw notFound('webhook-endpoint-not-found');
    return { 'webhook-ping': { 'event-id': queued.eventId, 'queued-at': queued.queuedAt } };
  }
}

/** A malformed id is an id that is not there. */
function pathId(params: Record<string, string>): string {
  const id = params['id'];
  if (!isUuid(id)) throw notFound('webhook-endpoint-not-found');
  return id;
}
