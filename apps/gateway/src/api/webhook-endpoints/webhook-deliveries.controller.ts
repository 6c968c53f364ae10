import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebhookDeliveryState, WebhookEventType, WebhookResourceType } from '@ponte/contracts';
import { GetWebhookDelivery, ListWebhookDeliveries, ReplayWebhookDelivery } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import { described, Operation, Resource } from '../../openapi/operation';
import {
  DELIVERY_EXAMPLE,
  deliveryDto,
  WebhookDeliveriesDto,
  WebhookDeliveriesQuery,
  WebhookDeliveryEnvelopeDto,
} from './webhook-delivery.dto';
import { pathId } from './webhook-endpoints.controller';

const one = described(WebhookDeliveryEnvelopeDto, { 'webhook-delivery': DELIVERY_EXAMPLE });

/** Deliveries to an account's endpoints and their outcomes. */
@Resource('api/v1/accounts/:accountId/webhook-endpoints', 'webhooks')
export class WebhookDeliveriesController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({
    id: 'list-webhook-deliveries',
    summary: "An endpoint's deliveries of the last 90 days, with each attempt",
    reach: 'account',
    query: WebhookDeliveriesQuery,
    answer: described(WebhookDeliveriesDto, { 'webhook-deliveries': [DELIVERY_EXAMPLE] }),
    paged: true,
    errors: ['webhook-endpoint-not-found'],
  })
  @Get(':id/deliveries')
  async list(
    @Req() request: AccountRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookDeliveriesDto> {
    const { call, params } = request;
    const query = request.query as WebhookDeliveriesQuery;
    const filters = {
      state: (query.state ?? null) as WebhookDeliveryState | null,
      eventType: (query['event-type'] ?? null) as WebhookEventType | null,
      resourceType: (query['resource-type'] ?? null) as WebhookResourceType | null,
      resourceId: query['resource-id'] ?? null,
    };
    const payload = {
      accountId: call.accountId,
      endpointId: pathId(params),
      filters,
      page: this.pagination.page(request as FastifyRequest),
    };
    const page = await this.services.request(ListWebhookDeliveries, payload, call);
    if (!page) throw notFound('webhook-endpoint-not-found');
    const items = this.pagination.items(page, request as FastifyRequest, reply);
    return { 'webhook-deliveries': await Promise.all(items.map((record) => deliveryDto(record, this.personalData))) };
  }

  @Operation({
    id: 'get-webhook-delivery',
    summary: 'One delivery',
    reach: 'account',
    answer: one,
    errors: ['webhook-delivery-not-found'],
  })
  @Get('deliveries/:id')
  async get(@Req() { call, params }: AccountRequest): Promise<WebhookDeliveryEnvelopeDto> {
    const record = await this.services.request(
      GetWebhookDelivery,
      { accountId: call.accountId, deliveryId: deliveryId(params) },
      call,
    );
    if (!record) throw notFound('webhook-delivery-not-found');
    return { 'webhook-delivery': await deliveryDto(record, this.personalData) };
  }

  @Operation({
    id: 'replay-webhook-delivery',
    summary: 'Send the event of a delivery once more; a delivery that succeeded is repeated by a new one',
    reach: 'account',
    status: 202,
    answer: one,
    errors: ['webhook-delivery-not-found', 'webhook-endpoint-disabled'],
  })
  @Post('deliveries/:id/replay')
  async replay(@Req() { call, params }: AccountRequest): Promise<WebhookDeliveryEnvelopeDto> {
    const record = await this.services.request(
      ReplayWebhookDelivery,
      { accountId: call.accountId, deliveryId: deliveryId(params) },
      call,
    );
    if (!record) throw notFound('webhook-delivery-not-found');
    return { 'webhook-delivery': await deliveryDto(record, this.personalData) };
  }
}

/** A malformed id is an id that does not exist. */
function deliveryId(params: Record<string, string>): string {
  const id = params['id'];
  if (!isUuid(id)) throw notFound('webhook-delivery-not-found');
  return id;
}
