import {
  DeliveredAtOnce,
  DeliveryAttemptFailed,
  DeliveryScheduled,
  DeliveryStarted,
  DeliverySucceeded,
} from '@ponte/contracts';
import type { DomainEvent, EventClass, EventToAppend } from '@ponte/event-sourcing';
import { toAppend } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { AT, CHILD } from './fixtures';

const ENDPOINT = derivedId('endpoint', 'journal');
/** A time long after {@link AT}. */
export const LATER = '2026-06-30T12:00:00.000Z';
let made = 0;

/** These events as one command appends them. */
export const events = (...facts: DomainEvent[]): EventToAppend[] =>
  toAppend(
    facts,
    facts.map((event) => event.constructor as unknown as EventClass),
    { commandId: derivedId('step', String((made += 1))), correlationId: 'request-1' },
    AT,
  );
export const scheduled = (deliveryId: string) =>
  new DeliveryScheduled({
    deliveryId,
    endpointId: ENDPOINT,
    accountId: CHILD,
    envelope: {} as never,
    dueAt: AT,
    after: null,
    correlationId: 'request-1',
  });
export const started = (deliveryId: string, attempt = 1) => new DeliveryStarted({ deliveryId, attempt, startedAt: AT });
export const failed = (deliveryId: string, nextAt: string | null) =>
  new DeliveryAttemptFailed({
    deliveryId,
    endpointId: ENDPOINT,
    accountId: CHILD,
    attempt: 1,
    failedAt: AT,
    httpStatus: 503,
    reason: 'http-status',
    nextAt,
  });
export const succeeded = (deliveryId: string, attempt = 1) =>
  new DeliverySucceeded({
    deliveryId,
    endpointId: ENDPOINT,
    accountId: CHILD,
    attempt,
    succeededAt: AT,
    httpStatus: 200,
  });
export const atOnce = (deliveryId: string) =>
  new DeliveredAtOnce({
    deliveryId,
    endpointId: ENDPOINT,
    accountId: CHILD,
    eventId: derivedId('event', deliveryId),
    eventType: 'order-created' as never,
    sourcePosition: '1',
    correlationId: 'request-1',
    scheduledAt: AT,
    succeededAt: AT,
    httpStatus: 200,
  });
