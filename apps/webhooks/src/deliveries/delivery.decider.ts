import type { DeliveryEvent, WebhookDeliveryState } from '@ponte/contracts';
import {
  DELIVERY_EVENTS,
  DeliveredAtOnce,
  DeliveryAttemptFailed,
  DeliveryReplayed,
  DeliveryScheduled,
  DeliveryStarted,
  DeliverySucceeded,
  webhookDeliveryMachine,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { nextAttemptAt } from './retry-schedule.domain';
import type {
  Scheduled,
  Delivery,
  ScheduledDelivery,
  LiveDelivery,
  DeliveryTerms,
  FailedAttempt,
  DeliveryCommand,
} from './delivery.state';

/**
 * The rules of a delivery. A failed delivery continues only after a replay, a successful one is final, and an attempt
 * has only one outcome: later reports about the same attempt are ignored.
 */
export const deliveryDecider: Decider<DeliveryCommand, Delivery, DeliveryEvent> = {
  category: 'delivery',
  continuesTrace: true,
  initial: { status: 'unscheduled' },
  events: DELIVERY_EVENTS,
  decide(command, delivery) {
    if (command.kind === 'schedule')
      return delivery.status === 'unscheduled' ? [schedule(command.terms, command.now)] : [];
    if (command.kind === 'record-first') return delivery.status === 'unscheduled' ? recordFirst(command) : [];
    if (command.kind === 'replay')
      return delivery.status === 'failed'
        ? [new DeliveryReplayed({ ...idsOf(delivery), after: command.after, replayedAt: command.now })]
        : [];
    if (delivery.status === 'unscheduled' || delivery.status === 'succeeded' || delivery.status === 'failed') return [];
    switch (command.kind) {
      case 'start':
        return delivery.status === 'pending' ? [started(delivery, command.now)] : [];
      case 'succeed':
        if (!isRunning(delivery, command.attempt)) return [];
        return [
          new DeliverySucceeded({
            ...idsOf(delivery),
            attempt: command.attempt,
            succeededAt: command.now,
            httpStatus: command.httpStatus,
          }),
        ];
      case 'fail':
        return isRunning(delivery, command.attempt) ? [failed(idsOf(delivery), command, delivery.attemptsBefore)] : [];
      case 'abandon':
        return abandon(delivery, command);
    }
  },
  evolve(delivery, event) {
    if (event.type === 'DeliveredAtOnce') return deliveredAtOnce(event.data);
    if (event.type === 'DeliveryScheduled') return scheduled(event.data);
    if (delivery.status === 'unscheduled' || delivery.status === 'succeeded')
      throw new Error(`${event.type} cannot follow in a delivery that is ${delivery.status}`);
    const { envelope } = delivery;
    switch (event.type) {
      case 'DeliveryReplayed': {
        const { after, replayedAt } = event.data;
        return {
          ...moved(delivery, 'pending'),
          envelope,
          status: 'pending',
          after,
          dueAt: replayedAt,
          waitsSince: replayedAt,
          attemptsBefore: delivery.attempts,
          updatedAt: replayedAt,
        };
      }
      case 'DeliveryStarted':
        return {
          ...moved(delivery, 'delivering'),
          envelope,
          status: 'delivering',
          attempts: event.data.attempt,
          updatedAt: event.data.startedAt,
        };
      case 'DeliverySucceeded':
        return { ...moved(delivery, 'succeeded'), status: 'succeeded', updatedAt: event.data.succeededAt };
      case 'DeliveryAttemptFailed': {
        const { nextAt, failedAt } = event.data;
        if (nextAt === null) return { ...moved(delivery, 'failed'), envelope, status: 'failed', updatedAt: failedAt };
        return { ...moved(delivery, 'pending'), envelope, status: 'pending', dueAt: nextAt, updatedAt: failedAt };
      }
    }
  },
};

const idsOf = ({ deliveryId, endpointId, accountId }: Pick<Scheduled, 'deliveryId' | 'endpointId' | 'accountId'>) => ({
  deliveryId,
  endpointId,
  accountId,
});

const isRunning = (delivery: ScheduledDelivery, attempt: number): boolean =>
  delivery.status === 'delivering' && delivery.attempts === attempt;

const schedule = (terms: DeliveryTerms, now: string): DeliveryScheduled =>
  new DeliveryScheduled({ ...terms, dueAt: now });

/**
 * The events of a first attempt that was made before the delivery was recorded. A success is a single event. A failure
 * has the same events as a delivery that was recorded before its first attempt.
 */
function recordFirst({
  terms,
  first,
  begunAt,
  now,
}: Extract<DeliveryCommand, { kind: 'record-first' }>): DeliveryEvent[] {
  const { correlationId } = terms;
  if (first.succeeded) {
    const { eventId, eventType, resourceType, resourceId } = terms.envelope;
    const { httpStatus, sourcePosition } = first;
    const resource = { eventId, eventType, resourceType, resourceId };
    const times = { scheduledAt: begunAt, succeededAt: now };
    return [new DeliveredAtOnce({ ...idsOf(terms), ...resource, sourcePosition, correlationId, ...times, httpStatus })];
  }
  const { deliveryId } = terms;
  const begun = [schedule(terms, begunAt), new DeliveryStarted({ deliveryId, attempt: 1, startedAt: begunAt })];
  return [...begun, failed(idsOf(terms), { ...first.failure, attempt: 1, now }, 0)];
}

const started = (delivery: ScheduledDelivery, now: string): DeliveryStarted =>
  new DeliveryStarted({ deliveryId: delivery.deliveryId, attempt: delivery.attempts + 1, startedAt: now });

function failed(ids: ReturnType<typeof idsOf>, command: FailedAttempt, attemptsBefore: number): DeliveryAttemptFailed {
  const { attempt, httpStatus, reason, now } = command;
  const nextAt = command.last
    ? null
    : nextAttemptAt(attempt - attemptsBefore, now, command.jitterPermille, command.retryAfterSeconds);
  return new DeliveryAttemptFailed({ ...ids, attempt, failedAt: now, httpStatus, reason, nextAt });
}

/**
 * Fails the delivery. The state machine has no transition from pending to failed, so an unsent attempt is started
 * first.
 */
function abandon(
  delivery: LiveDelivery,
  { reason, now }: Extract<DeliveryCommand, { kind: 'abandon' }>,
): DeliveryEvent[] {
  const begin = delivery.status === 'pending' ? [started(delivery, now)] : [];
  const attempt = delivery.attempts + begin.length;
  return [
    ...begin,
    new DeliveryAttemptFailed({ ...idsOf(delivery), attempt, failedAt: now, httpStatus: null, reason, nextAt: null }),
  ];
}

function scheduled({ envelope, dueAt, replayOf, ...terms }: DeliveryScheduled['data']): Delivery {
  const { eventId, eventType, resourceType, resourceId } = envelope;
  return {
    ...{ status: 'pending', ...terms, eventId, eventType, envelope, dueAt },
    resource: { type: resourceType, id: resourceId },
    replayOf: replayOf ?? null,
    ...{ scheduledAt: dueAt, waitsSince: dueAt, updatedAt: dueAt },
    ...{ attempts: 0, attemptsBefore: 0 },
  };
}

function deliveredAtOnce(data: DeliveredAtOnce['data']): Delivery {
  const { resourceType: type, resourceId: id, succeededAt, sourcePosition: _p, httpStatus: _s, ...terms } = data;
  return {
    ...{ status: 'succeeded', ...terms, after: null, replayOf: null },
    resource: type === undefined || id === undefined ? null : { type, id },
    ...{ waitsSince: terms.scheduledAt, updatedAt: succeededAt },
    ...{ attempts: 1, attemptsBefore: 0 },
  };
}

/** Checks the transition and returns the fields that every status has. */
function moved(delivery: ScheduledDelivery, to: WebhookDeliveryState): Scheduled {
  assertMove(webhookDeliveryMachine, delivery.status, to);
  const { status: _status, envelope: _envelope, dueAt: _dueAt, ...kept } = { envelope: null, dueAt: null, ...delivery };
  return kept;
}
