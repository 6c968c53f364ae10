import type { WebhookEndpointRecord, WebhookEventType } from '@ponte/contracts';
import { WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import { instant, oneOf, text, textList, uuid } from '../../shape/kinds';
import { Optional, Required, RequiredObject, RequiredObjects } from '../../shape/members';
import { SAMPLE } from '../samples';

const eventTypes = textList(WEBHOOK_EVENT_TYPES.length, WEBHOOK_EVENT_TYPES);

export class WebhookEndpointRequestDto {
  @Required(text(1, 2048), 'Where events are posted to; https outside the sandbox', 'https://partner.example/hooks')
  url!: string;

  @Optional(eventTypes, 'Kinds of events to send; all when absent', ['order-completed'])
  'event-types'?: WebhookEventType[];
}

export class WebhookEndpointDto {
  @Required(uuid, 'The endpoint', SAMPLE.endpointId)
  id!: string;

  @Required(text(1, 2048), 'Where events are posted to', 'https://partner.example/hooks')
  url!: string;

  @Optional(eventTypes, 'Kinds of events that are sent; all when absent', ['order-completed'])
  'event-types'?: WebhookEventType[];

  @Required(oneOf(['enabled', 'disabled']), 'A disabled endpoint is sent nothing more, not even a ping, and stays disabled: delete it and create another', 'enabled')
  status!: string;

  @Optional(text(1, 100), 'Why it was disabled')
  'disabled-reason'?: string;

  @Required(instant, 'When it was made', SAMPLE.time)
  'created-at'!: string;
}

export class NewWebhookEndpointDto extends WebhookEndpointDto {
  @Required(text(1, 200), 'Verifies signatures (Standard Webhooks). Shown in this answer alone', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  secret!: string;
}

export class NewWebhookEndpointEnvelopeDto {
  @RequiredObject(() => NewWebhookEndpointDto, 'The endpoint with its secret')
  'webhook-endpoint'!: NewWebhookEndpointDto;
}

export class WebhookEndpointsDto {
  @RequiredObjects(() => WebhookEndpointDto, 'Newest first')
  'webhook-endpoints'!: WebhookEndpointDto[];
}


export class PingDto {
  @Required(uuid, 'The event that was queued', SAMPLE.eventId)
  'event-id'!: string;

  @Required(instant, 'When', SAMPLE.time)
  'queued-at'!: string;
}

export class PingEnvelopeDto {
  @RequiredObject(() => PingDto, 'The queued event')
  'webhook-ping'!: PingDto;
}

export const ENDPOINT_EXAMPLE: WebhookEndpointDto = {
  id: SAMPLE.endpointId, url: 'https://partner.example/hooks', 'event-types': ['order-completed'], status: 'enabled',
  'created-at': SAMPLE.time,
};

export const endpointDto = (endpoint: WebhookEndpointRecord): WebhookEndpointDto => ({
  id: endpoint.id,
  url: endpoint.url,
  ...(endpoint.eventTypes === null ? {} : { 'event-types': [...endpoint.eventTypes] }),
  status: endpoint.status,
  ...(endpoint.disabledReason === null ? {} : { 'disabled-reason': endpoint.disabledReason }),
  'created-at': endpoint.createdAt,
});
