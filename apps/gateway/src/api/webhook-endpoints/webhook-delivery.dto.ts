import type { WebhookDeliveryRecord } from '@ponte/contracts';
import { STATE_MACHINES, WEBHOOK_EVENT_TYPES, WEBHOOK_RESOURCE_TYPES } from '@ponte/contracts';
import { toWire, toWireIfSet } from '@ponte/kernel';
import { PageQuery } from '../../pagination/page-query';
import type { OpensPersonalData } from '../../personal-data/shown-personal-data.service';
import { instant, oneOf, text, uuid, whole } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Nullable, Optional, Required, RequiredObjects } from '../../validation/fields';
import { SAMPLE } from '../samples';

const state = oneOf(Object.keys(STATE_MACHINES['webhook-delivery']));
const eventType = oneOf(WEBHOOK_EVENT_TYPES);
const resourceType = oneOf(WEBHOOK_RESOURCE_TYPES);
const OUTCOMES = [
  'delivered',
  'under-way',
  'http-status',
  'gone',
  'timed-out',
  'connection-failed',
  'target-refused',
  'endpoint-deleted',
  'endpoint-disabled',
];

export class WebhookDeliveriesQuery extends PageQuery {
  @Optional(state, 'Only deliveries in this state')
  state?: string;

  @Optional(eventType, 'Only deliveries of this event type')
  'event-type'?: string;

  @Optional(resourceType, 'Only deliveries of events about this type of resource')
  'resource-type'?: string;

  @Optional(text(1, 80), 'Only deliveries of events about this resource')
  'resource-id'?: string;
}

export class DeliveryAttemptDto {
  @Required(whole, 'Number of the attempt, from 1', 1)
  attempt!: number;

  @Required(instant, 'When it ended, or when it started if it is in progress', SAMPLE.time)
  at!: string;

  @Required(oneOf(OUTCOMES), 'The outcome of the attempt', 'delivered')
  outcome!: string;

  @Nullable(whole, 'HTTP status of the response; null when there was no response', 200)
  'http-status'!: number | null;

  @Nullable(whole, 'Milliseconds from the request to the status line; null if not known', 48)
  'latency-ms'!: number | null;

  @Nullable(
    text(0, 1024),
    'The first 1 kB of the response, without the personal data that was sent; null if it was empty or is not known',
    'ok',
  )
  response!: string | null;
}

export class WebhookDeliveryDto {
  @Required(uuid, 'Id of the delivery', SAMPLE.deliveryId)
  id!: string;

  @Required(uuid, 'Id of the endpoint', SAMPLE.endpointId)
  'webhook-endpoint-id'!: string;

  @Required(uuid, 'The event, as in `webhook-id`', SAMPLE.eventId)
  'event-id'!: string;

  @Required(eventType, 'Type of the event', 'order-completed')
  'event-type'!: string;

  @Optional(resourceType, 'The resource that the event is about', 'order')
  'resource-type'?: string;

  @Optional(text(1, 80), 'Id of the resource', SAMPLE.orderId)
  'resource-id'?: string;

  @Required(state, 'State of the delivery', 'succeeded')
  state!: string;

  @Nullable(instant, 'When the next attempt is due; null if there will be no further attempt', null)
  'next-attempt-at'!: string | null;

  @Optional(uuid, 'The delivery that this one repeats')
  'replay-of'?: string;

  @Required(instant, 'When it was created', SAMPLE.time)
  'created-at'!: string;

  @Required(instant, 'When it last changed', SAMPLE.time)
  'updated-at'!: string;

  @RequiredObjects(() => DeliveryAttemptDto, 'Oldest first')
  attempts!: DeliveryAttemptDto[];
}

export class WebhookDeliveryEnvelopeDto extends EnvelopeOf(
  'webhook-delivery',
  () => WebhookDeliveryDto,
  'The delivery',
) {}

export class WebhookDeliveriesDto extends ListOf('webhook-deliveries', () => WebhookDeliveryDto, 'Newest first') {}

export const DELIVERY_EXAMPLE = exampleOf(WebhookDeliveryDto, {
  'resource-type': 'order',
  'resource-id': SAMPLE.orderId,
});

/** A delivery as its account sees it, with the endpoint's responses unsealed. */
export async function deliveryDto(
  record: WebhookDeliveryRecord,
  personalData: OpensPersonalData,
): Promise<WebhookDeliveryDto> {
  const shownIn = { endpointId: record.endpointId, deliveryId: record.id };
  const attempts = record.attempts.map(async (one) => ({
    ...toWire(one, 'attempt', 'at', 'outcome', 'httpStatus', 'latencyMs'),
    response: one.response === null ? null : await personalData.open(one.response, shownIn),
  }));
  return {
    id: record.id,
    'webhook-endpoint-id': record.endpointId,
    ...toWire(record, 'eventId', 'eventType'),
    ...toWireIfSet(record, 'resourceType', 'resourceId'),
    ...toWire(record, 'state', 'nextAttemptAt'),
    ...toWireIfSet(record, 'replayOf'),
    ...toWire(record, 'createdAt', 'updatedAt'),
    attempts: await Promise.all(attempts),
  };
}
