import type { PublishedEnvelope, WebhookDeliveryRecord, WebhookEndpointRecord } from '@ponte/contracts';
import { SAMPLE } from '../../api/samples';

export const endpointRecord = (
  more: Partial<WebhookEndpointRecord> & { endpointId?: string } = {},
): WebhookEndpointRecord => ({
  id: more.endpointId ?? SAMPLE.endpointId,
  accountId: more.accountId ?? SAMPLE.accountId,
  url: more.url ?? 'https://partner.example/hooks',
  eventTypes: more.eventTypes ?? null,
  description: more.description ?? null,
  status: 'enabled',
  disabledReason: null,
  disabledAt: null,
  previousSecretUntil: null,
  createdAt: SAMPLE.time,
});

export const deliveryRecord = (more: Partial<WebhookDeliveryRecord> = {}): WebhookDeliveryRecord => ({
  id: SAMPLE.deliveryId,
  endpointId: SAMPLE.endpointId,
  accountId: SAMPLE.accountId,
  eventId: SAMPLE.eventId,
  eventType: 'order-completed',
  resourceType: 'order',
  resourceId: SAMPLE.orderId,
  state: 'succeeded',
  nextAttemptAt: null,
  replayOf: null,
  createdAt: SAMPLE.time,
  updatedAt: SAMPLE.time,
  attempts: [{ attempt: 1, at: SAMPLE.time, outcome: 'delivered', httpStatus: 200, latencyMs: 12, response: null }],
  ...more,
});

export const publishedEnvelope = (more: Partial<PublishedEnvelope> = {}): PublishedEnvelope => ({
  eventId: SAMPLE.eventId,
  eventType: 'order-processing',
  accountId: SAMPLE.accountId,
  resourceType: 'order',
  resourceId: SAMPLE.orderId,
  sequence: 2,
  previousState: 'created',
  occurredAt: SAMPLE.time,
  apiVersion: 'v1',
  payload: { 'order-id': SAMPLE.orderId, 'account-id': SAMPLE.accountId, 'started-at': SAMPLE.time },
  ...more,
});
