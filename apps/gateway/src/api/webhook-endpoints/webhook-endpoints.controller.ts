import { Delete, Get, Inject, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  GetWebhookEndpoint,
  ListWebhookEndpoints,
  sealRequest,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isSealed } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { notFound, shapeError } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { PageQuery } from '../../pagination/page-query';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import {
  ENDPOINT_EXAMPLE,
  endpointDto,
  NewWebhookEndpointEnvelopeDto,
  WebhookEndpointChangeDto,
  WebhookEndpointEnvelopeDto,
  WebhookEndpointRequestDto,
  WebhookEndpointsDto,
  SECRET_EXAMPLE,
  typesOrAll,
} from './webhook-endpoint.dto';
import { endpointOf, known } from './endpoint-path';

@Resource('api/v1/accounts/:accountId/webhook-endpoints', 'webhooks')
export class WebhookEndpointsController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({
    id: 'create-webhook-endpoint',
    summary: 'Create a webhook endpoint',
    reach: 'account',
    secretAnswer: true,
    body: described(WebhookEndpointRequestDto, {
      url: 'https://partner.example/hooks',
      'event-types': ['order-completed'],
    }),
    answer: described(NewWebhookEndpointEnvelopeDto, {
      'webhook-endpoint': { ...ENDPOINT_EXAMPLE, secret: SECRET_EXAMPLE },
    }),
    errors: ['limit-exceeded', 'webhook-endpoint-not-found'],
  })
  @Post()
  async create(@Req() request: FastifyRequest): Promise<NewWebhookEndpointEnvelopeDto> {
    const { call } = request;
    const body = request.body as WebhookEndpointRequestDto;
    const types = body['event-types'] ? typesOrAll(body['event-types']) : 'all';
    const endpoint = await this.services.request(
      CreateWebhookEndpoint,
      {
        accountId: call.accountId,
        endpointId: call.commandId,
        url: await this.inTransit(body.url),
        eventTypes: types === 'all' ? null : types,
        description: body.description ?? null,
      },
      call,
    );
    const secret = await this.personalData.open(endpoint.secret);
    return { 'webhook-endpoint': { ...endpointDto(endpoint), secret } };
  }

  @Operation({
    id: 'list-webhook-endpoints',
    summary: 'List the webhook endpoints of an account',
    reach: 'account',
    query: PageQuery,
    answer: described(WebhookEndpointsDto, { 'webhook-endpoints': [ENDPOINT_EXAMPLE] }),
    paged: true,
  })
  @Get()
  async list(@Listed() list: ListRequest): Promise<WebhookEndpointsDto> {
    const endpoints = await list.find(ListWebhookEndpoints, { accountId: list.call.accountId });
    return { 'webhook-endpoints': endpoints.map(endpointDto) };
  }

  @Operation({
    id: 'delete-webhook-endpoint',
    summary: 'Delete a webhook endpoint',
    reach: 'account',
    status: 204,
    errors: ['webhook-endpoint-not-found'],
  })
  @Delete(':id')
  async delete(@Req() { call, params }: AccountRequest): Promise<void> {
    const { deleted } = await this.services.request(DeleteWebhookEndpoint, endpointOf(call, params), call);
    if (!deleted) throw notFound('webhook-endpoint-not-found');
  }

  @Operation({
    id: 'get-webhook-endpoint',
    summary: 'Get a webhook endpoint',
    reach: 'account',
    answer: described(WebhookEndpointEnvelopeDto, { 'webhook-endpoint': ENDPOINT_EXAMPLE }),
    errors: ['webhook-endpoint-not-found'],
  })
  @Get(':id')
  async get(@Req() { call, params }: AccountRequest): Promise<WebhookEndpointEnvelopeDto> {
    const endpoint = await this.services.request(GetWebhookEndpoint, endpointOf(call, params), call);
    return { 'webhook-endpoint': endpointDto(known(endpoint)) };
  }

  @Operation({
    id: 'change-webhook-endpoint',
    summary: 'Change, disable or enable a webhook endpoint',
    reach: 'account',
    body: described(WebhookEndpointChangeDto, {
      'event-types': ['order-completed'],
      enabled: true,
      'replay-missed': true,
    }),
    answer: described(WebhookEndpointEnvelopeDto, { 'webhook-endpoint': ENDPOINT_EXAMPLE }),
    errors: ['webhook-endpoint-not-found', 'limit-exceeded'],
  })
  @Patch(':id')
  async change(@Req() { call, params, body }: AccountRequest): Promise<WebhookEndpointEnvelopeDto> {
    const {
      url,
      'event-types': types,
      description,
      enabled,
      'replay-missed': replayMissed,
    } = body as WebhookEndpointChangeDto;
    if (replayMissed && enabled !== true)
      throw shapeError([{ path: 'replay-missed', code: 'unknown-field', message: 'must be sent with enabled true' }]);
    const endpoint = await this.services.request(
      ChangeWebhookEndpoint,
      {
        ...endpointOf(call, params),
        url: url === undefined ? null : await this.inTransit(url),
        eventTypes: types === undefined ? null : typesOrAll(types),
        description: description ?? null,
        enabled: enabled ?? null,
        replayMissed: replayMissed ?? false,
      },
      call,
    );
    return { 'webhook-endpoint': endpointDto(known(endpoint)) };
  }

  /**
   * Seals a URL with a query, which often contains a token: request topics keep messages for an hour. Also seals a text
   * that looks sealed, because the service would open it.
   */
  private async inTransit(url: string): Promise<string> {
    return url.includes('?') || isSealed(url) ? sealRequest(this.personalData, { secret: url }) : url;
  }
}
