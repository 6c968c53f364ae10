import type { PublishedEnvelope } from '@ponte/contracts';
import { DeliveryAttemptFailed, DeliveryScheduled, DeliveryStarted, DeliverySucceeded } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { deliveryDecider } from './delivery.decider';
import type { DeliveryCommand } from './delivery.state';

export const NOW = '2026-03-02T12:00:00.000Z';
export const LATER = '2026-03-02T12:00:05.000Z';
export const ids = { deliveryId: 'd', endpointId: 'e', accountId: 'a' };
export const envelope: PublishedEnvelope = {
  eventId: 'event',
  eventType: 'order-created',
  accountId: 'a',
  resourceType: 'order',
  resourceId: 'o',
  sequence: 1,
  previousState: null,
  occurredAt: NOW,
  apiVersion: 'v1',
  payload: {},
};
export const known = { ...ids, envelope, after: null, correlationId: 'c' };
export const scheduled = new DeliveryScheduled({ ...known, dueAt: NOW });
export const started = (attempt: number) => new DeliveryStarted({ deliveryId: 'd', attempt, startedAt: NOW });
export const succeeded = new DeliverySucceeded({ ...ids, attempt: 1, succeededAt: LATER, httpStatus: 200 });
export const failedAttempt = (attempt: number, nextAt: string | null) =>
  new DeliveryAttemptFailed({ ...ids, attempt, failedAt: LATER, httpStatus: 500, reason: 'http-status', nextAt });
export const fail = (
  attempt: number,
  over: Partial<Extract<DeliveryCommand, { kind: 'fail' }>> = {},
): DeliveryCommand => ({
  kind: 'fail',
  attempt,
  httpStatus: 500,
  reason: 'http-status',
  jitterPermille: 0,
  retryAfterSeconds: null,
  last: false,
  now: LATER,
  ...over,
});
export const given = scenario(deliveryDecider).given;
