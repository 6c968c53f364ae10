import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type {
  WebhookDeliveryRecord,
  WebhookDeliveryState,
  WebhookEventType,
  WebhookResourceType,
} from '@ponte/contracts';
import { GetWebhookDelivery, ListWebhookDeliveries, ReplayWebhookDelivery } from '@ponte/contracts';
import { Services } from '../../edge/request-context.service';
import { ShownPersonalData } from '../../personal-data/shown-personal-data.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import {
  DELIVERY_EXAMPLE,
  deliveryDto,
  WebhookDeliveriesDto,
  WebhookDeliveriesQuery,
  WebhookDeliveryEnvelopeDto,
} from './webhook-delivery.dto';
import { PathId, pathEndpoint } from '../path';

const one = described(WebhookDeliveryEnvelopeDto, { 'webhook-delivery': DELIVERY_EXAMPLE });

/** Deliveries to an account's endpoints and their outcomes. */
@Resource('api/v1/accounts/:accountId/webhook-endpoints', 'webhooks')
export class WebhookDeliveriesController {
  constructor(
    private readonly services: Services,
    private readonly personalData: ShownPersonalData,
  ) {}

  @Operation({
    id: 'list-webhook-deliveries',
    summary: "List an endpoint's deliveries of the last 90 days with their attempts",
    reach: 'account',
    query: WebhookDeliveriesQuery,
    answer: described(WebhookDeliveriesDto, { 'webhook-deliveries': [DELIVERY_EXAMPLE] }),
    paged: true,
    errors: ['webhook-endpoint-not-found'],
  })
  @Get(':id/deliveries')
  async list(@Listed() list: ListRequest<WebhookDeliveriesQuery>): Promise<WebhookDeliveriesDto> {
    const { call, query } = list;
    const filters = {
      state: (query.state ?? null) as WebhookDeliveryState | null,
      eventType: (query['event-type'] ?? null) as WebhookEventType | null,
      resourceType: (query['resource-type'] ?? null) as WebhookResourceType | null,
      resourceId: query['resource-id'] ?? null,
    };
    const endpointId = pathEndpoint(list.request.params);
    const wanted = { accountId: call.accountId, endpointId, filters, page: list.page() };
    const page = await this.services.request(ListWebhookDeliveries, wanted, call);
    const items = list.items(found(page, 'webhook-endpoint-not-found'));
    return { 'webhook-deliveries': await Promise.all(items.map((record) => deliveryDto(record, this.personalData))) };
  }

  @Operation({
    id: 'get-webhook-delivery',
    summary: 'Get a delivery',
    reach: 'account',
    answer: one,
    errors: ['webhook-delivery-not-found'],
  })
  @Get('deliveries/:id')
  async get(
    @PathId('webhook-delivery-not-found') deliveryId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<WebhookDeliveryEnvelopeDto> {
    return this.shown(await this.services.request(GetWebhookDelivery, { accountId: call.accountId, deliveryId }, call));
  }

  @Operation({
    id: 'replay-webhook-delivery',
    summary: 'Send the event of a delivery again; if the delivery succeeded, a new delivery is created',
    reach: 'account',
    status: 202,
    // It repeats what the endpoint responded, which may be personal data.
    secretAnswer: true,
    answer: one,
    errors: ['webhook-delivery-not-found', 'webhook-endpoint-not-found', 'webhook-endpoint-disabled'],
  })
  @Post('deliveries/:id/replay')
  async replay(
    @PathId('webhook-delivery-not-found') deliveryId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<WebhookDeliveryEnvelopeDto> {
    return this.shown(
      await this.services.request(ReplayWebhookDelivery, { accountId: call.accountId, deliveryId }, call),
    );
  }

  private async shown(record: WebhookDeliveryRecord | null): Promise<WebhookDeliveryEnvelopeDto> {
    return { 'webhook-delivery': await deliveryDto(found(record, 'webhook-delivery-not-found'), this.personalData) };
  }
}
