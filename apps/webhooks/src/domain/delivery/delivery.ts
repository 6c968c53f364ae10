import type { DeliveryFact, DeliveryFailureReason, PublishedEnvelope, WebhookDeliveryState } from '@ponte/contracts';
import {
  DeliveryAttemptFailed, DeliveryScheduled, DeliveryStarted, DeliverySucceeded, webhookDeliveryMachine,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { nextAttemptAt } from './retry-schedule';

export interface Scheduled {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly envelope: PublishedEnvelope;
  readonly after: string | null;
  readonly correlationId: string;
  readonly scheduledAt: string;
  /** Attempts begun. */
  readonly attempts: number;
  /** Time of the last event. */
  readonly updatedAt: string;
}

export type Delivery =
  | { readonly status: 'unscheduled' }
  | (Scheduled & { readonly status: 'pending'; readonly dueAt: string })
  | (Scheduled & { readonly status: 'delivering' })
  | (Scheduled & { readonly status: 'succeeded' })
  | (Scheduled & { readonly status: 'failed' });

export type ScheduledDelivery = Exclude<Delivery, { status: 'unscheduled' }>;

export interface ScheduleDelivery extends Omit<Scheduled, 'scheduledAt' | 'attempts' | 'updatedAt'> {
  readonly kind: 'schedule';
  readonly now: string;
  /** The request leaves right behind this command, so that one append says both. */
  readonly start: boolean;
}

export type DeliveryCommand =
  | ScheduleDelivery
  | { readonly kind: 'start'; readonly now: string }
  | { readonly kind: 'succeed'; readonly attempt: number; readonly httpStatus: number; readonly now: string }
  | {
      readonly kind: 'fail'; readonly attempt: number; readonly httpStatus: number | null; readonly reason: DeliveryFailureReason;
      readonly jitterPermille: number; readonly retryAfterSeconds: number | null;
      /** No further attempt, whatever the schedule says. */
      readonly last: boolean;
      readonly now: string;
    }
  | { readonly kind: 'abandon'; readonly reason: 'endpoint-deleted' | 'endpoint-disabled'; readonly now: string };

/** Nothing follows a delivery that has ended, and nothing is heard twice of one attempt. */
export const deliveryDecider: Decider<DeliveryCommand, Delivery, DeliveryFact> = {
  category: 'delivery',
  initial: { status: 'unscheduled' },
  events: [DeliveryScheduled, DeliveryStarted, DeliverySucceeded, DeliveryAttemptFailed],
  decide(command, delivery) {
    if (command.kind === 'schedule') return delivery.status === 'unscheduled' ? schedule(command) : [];
    if (delivery.status === 'unscheduled' || delivery.status === 'succeeded' || delivery.status === 'failed') return [];
    switch (command.kind) {
      case 'start':
        return delivery.status === 'pending' ? [started(delivery, command.now)] : [];
      case 'succeed':
        if (!isRunning(delivery, command.attempt)) return [];
        return [new DeliverySucceeded({ ...idsOf(delivery), attempt: command.attempt, succeededAt: command.now, httpStatus: command.httpStatus })];
      case 'fail':
        return isRunning(delivery, command.attempt) ? [failed(delivery, command)] : [];
      case 'abandon':
        return abandon(delivery, command);
    }
  },
  evolve(delivery, fact) {
    if (fact.type === 'DeliveryScheduled') return scheduled(fact.data);
    if (delivery.status === 'unscheduled') throw new Error(`${fact.type} before DeliveryScheduled`);
    switch (fact.type) {
      case 'DeliveryStarted':
        return { ...moved(delivery, 'delivering'), status: 'delivering', attempts: fact.data.attempt, updatedAt: fact.data.startedAt };
      case 'DeliverySucceeded':
        return { ...moved(delivery, 'succeeded'), status: 'succeeded', updatedAt: fact.data.succeededAt };
      case 'DeliveryAttemptFailed': {
        const { nextAt, failedAt } = fact.data;
        if (nextAt === null) return { ...moved(delivery, 'failed'), status: 'failed', updatedAt: failedAt };
        return { ...moved(delivery, 'pending'), status: 'pending', dueAt: nextAt, updatedAt: failedAt };
      }
    }
  },
};

/** Nothing more will come of it, so that the next event about the resource may go. */
export const hasEnded = (delivery: Delivery): boolean =>
  delivery.status === 'unscheduled' || delivery.status === 'succeeded' || delivery.status === 'failed';

const idsOf = ({ deliveryId, endpointId, accountId }: Scheduled) => ({ deliveryId, endpointId, accountId });

const isRunning = (delivery: ScheduledDelivery, attempt: number): boolean => delivery.status === 'delivering' && delivery.attempts === attempt;

function schedule(command: ScheduleDelivery): DeliveryFact[] {
  const { kind: _kind, now, start, ...data } = command;
  const fact = new DeliveryScheduled({ ...data, dueAt: now });
  return start ? [fact, new DeliveryStarted({ deliveryId: data.deliveryId, attempt: 1, startedAt: now })] : [fact];
}

const started = (delivery: ScheduledDelivery, now: string): DeliveryStarted =>
  new DeliveryStarted({ deliveryId: delivery.deliveryId, attempt: delivery.attempts + 1, startedAt: now });

function failed(delivery: ScheduledDelivery, command: Extract<DeliveryCommand, { kind: 'fail' }>): DeliveryAttemptFailed {
  const { attempt, httpStatus, reason, now } = command;
  const nextAt = command.last ? null : nextAttemptAt(attempt, now, command.jitterPermille, command.retryAfterSeconds);
  return new DeliveryAttemptFailed({ ...idsOf(delivery), attempt, failedAt: now, httpStatus, reason, nextAt });
}

/** The table knows no way from pending to failed, so an attempt is begun that never leaves. */
function abandon(delivery: ScheduledDelivery, { reason, now }: Extract<DeliveryCommand, { kind: 'abandon' }>): DeliveryFact[] {
  const begin = delivery.status === 'pending' ? [started(delivery, now)] : [];
  const attempt = delivery.attempts + begin.length;
  return [...begin, new DeliveryAttemptFailed({ ...idsOf(delivery), attempt, failedAt: now, httpStatus: null, reason, nextAt: null })];
}

function scheduled(data: DeliveryScheduled['data']): Delivery {
  const { deliveryId, endpointId, accountId, envelope, after, correlationId, dueAt } = data;
  return {
    status: 'pending', deliveryId, endpointId, accountId, envelope, after, correlationId, dueAt,
    scheduledAt: dueAt, attempts: 0, updatedAt: dueAt,
  };
}

function moved(delivery: ScheduledDelivery, to: WebhookDeliveryState): Scheduled {
  assertMove(webhookDeliveryMachine, delivery.status, to);
  const { deliveryId, endpointId, accountId, envelope, after, correlationId, scheduledAt, attempts, updatedAt } = delivery;
  return { deliveryId, endpointId, accountId, envelope, after, correlationId, scheduledAt, attempts, updatedAt };
}
