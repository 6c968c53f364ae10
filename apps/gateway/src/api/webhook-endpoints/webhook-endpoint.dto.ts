import type { WebhookEndpointRecord, WebhookEventType } from '@ponte/contracts';
import { WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import { toWire, toWireIfSet } from '@ponte/kernel';
import { flag, instant, oneOf, text, uuid } from '../../validation/field-types';
import { textList } from '../../validation/list-field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, Required } from '../../validation/fields';
import { words } from '../../validation/person-field-types';
import { isValue, Together } from '../../validation/together';
import { SAMPLE } from '../samples';

/** Subscribes to every event type, including types of later versions. */
export const ALL_EVENT_TYPES = '*';
const description = words(200);
const eventTypes = textList(WEBHOOK_EVENT_TYPES.length, WEBHOOK_EVENT_TYPES);
const eventTypesOrAll = textList(WEBHOOK_EVENT_TYPES.length + 1, [...WEBHOOK_EVENT_TYPES, ALL_EVENT_TYPES]);

type RequestedTypes = readonly (WebhookEventType | typeof ALL_EVENT_TYPES)[];

export class WebhookEndpointRequestDto {
  @Required(
    text(1, 2048),
    'URL that events are posted to. Outside the sandbox: https, port 443 and a host with only public addresses. A query may contain a token; it is shown masked',
    'https://partner.example/hooks',
  )
  url!: string;

  @Optional(eventTypesOrAll, 'Event types to send; all, including those added later, if absent or with `*`', [
    'order-completed',
  ])
  'event-types'?: RequestedTypes;

  @Optional(description, 'Your own description', 'Orders of the web shop')
  description?: string;
}

@Together({ if: isValue('replay-missed', true), then: isValue('enabled', true) })
export class WebhookEndpointChangeDto {
  @Optional(text(1, 2048), 'New URL for events; waiting events are sent there too', 'https://partner.example/hooks')
  url?: string;

  @Optional(
    eventTypesOrAll,
    'Event types to send; unchanged if absent or null. `*` removes the filter: all types, including those added later',
    ['order-completed'],
  )
  'event-types'?: RequestedTypes;

  @Optional(description, 'Your own description', 'Orders of the web shop')
  description?: string;

  @Optional(flag, 'false: nothing more is sent. true: new events are sent again', true)
  enabled?: boolean;

  @Optional(flag, 'With `enabled` true: the events that the endpoint missed are sent, too', true)
  'replay-missed'?: boolean;
}

export class WebhookEndpointDto {
  @Required(uuid, 'Id of the endpoint', SAMPLE.endpointId)
  id!: string;

  @Required(text(1, 2048), 'URL that events are posted to, with a masked query', 'https://partner.example/hooks')
  url!: string;

  @Optional(eventTypes, 'Event types that are sent; all if absent', ['order-completed'])
  'event-types'?: WebhookEventType[];

  @Optional(description, 'Your own description', 'Orders of the web shop')
  description?: string;

  @Required(oneOf(['enabled', 'disabled']), 'Nothing is sent to a disabled endpoint, not even a ping', 'enabled')
  status!: string;

  @Optional(
    oneOf(['gone', 'no-success', 'requested']),
    'Why it is disabled: it responded 410, no delivery succeeded for 120 h, or its account disabled it',
  )
  'disabled-reason'?: string;

  @Optional(instant, 'When it was disabled')
  'disabled-at'?: string;

  @Optional(
    instant,
    'Until this time, or the next rotation if it is earlier, requests are also signed with the previous secret',
  )
  'previous-secret-until'?: string;

  @Required(instant, 'When it was created', SAMPLE.time)
  'created-at'!: string;
}

export class NewWebhookEndpointDto extends WebhookEndpointDto {
  @Required(
    text(1, 200),
    'Secret for verifying signatures (Standard Webhooks). Shown only in this response',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  )
  secret!: string;
}

export class NewWebhookEndpointEnvelopeDto extends EnvelopeOf(
  'webhook-endpoint',
  () => NewWebhookEndpointDto,
  'The endpoint with its secret',
) {}

export class WebhookEndpointEnvelopeDto extends EnvelopeOf(
  'webhook-endpoint',
  () => WebhookEndpointDto,
  'The endpoint',
) {}

export class WebhookEndpointsDto extends ListOf('webhook-endpoints', () => WebhookEndpointDto, 'Newest first') {}

export class PingDto {
  @Required(uuid, 'The event that was queued', SAMPLE.eventId)
  'event-id'!: string;

  @Required(instant, 'When it was queued', SAMPLE.time)
  'queued-at'!: string;
}

export class PingEnvelopeDto extends EnvelopeOf('webhook-ping', () => PingDto, 'The queued event') {}

export const ENDPOINT_EXAMPLE = exampleOf(WebhookEndpointDto, { 'event-types': ['order-completed'] });

/** The requested event types, or `all` if they contain `*`. */
export const typesOrAll = (types: RequestedTypes): readonly WebhookEventType[] | 'all' =>
  types.includes(ALL_EVENT_TYPES) ? 'all' : types.filter((type) => type !== ALL_EVENT_TYPES);

export const endpointDto = (endpoint: WebhookEndpointRecord): WebhookEndpointDto => ({
  ...toWire(endpoint, 'id', 'url'),
  ...(endpoint.eventTypes === null ? {} : { 'event-types': [...endpoint.eventTypes] }),
  ...toWireIfSet(endpoint, 'description'),
  status: endpoint.status,
  ...toWireIfSet(endpoint, 'disabledReason', 'disabledAt', 'previousSecretUntil'),
  'created-at': endpoint.createdAt,
});
export const SECRET_EXAMPLE = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
