import type { DeliveryAttemptRecord, DeliveryEvent, WebhookDeliveryRecord } from '@ponte/contracts';
import type { EventStore, Recorded, Sealed } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import type { ScheduledDelivery } from './delivery.state';
import { deliveryDecider } from './delivery.decider';
import type { AttemptRow } from './deliveries.read-model';
import type { AttemptNotes } from './attempt-notes';

const current = upcaster(deliveryDecider.events);

/** A delivery as its stream says, with its events. */
export interface ReadDelivery {
  readonly delivery: ScheduledDelivery;
  readonly events: readonly Recorded<DeliveryEvent>[];
}

/**
 * Deliveries as their owner may see them: from their streams, which are never behind, and the notes on their
 * attempts.
 */
export class DeliveryRecords {
  constructor(
    private readonly store: Pick<EventStore, 'read'>,
    private readonly notes: Pick<AttemptNotes, 'of'>,
  ) {}

  /** Undefined when there is no such delivery, or its endpoint belongs to another account. */
  async read(accountId: string, deliveryId: string): Promise<ReadDelivery | undefined> {
    const recorded = await this.store.read(streamName(deliveryDecider.category, deliveryId));
    const events = recorded.map((event) => current<DeliveryEvent>(event));
    const delivery = events.reduce((state, event) => deliveryDecider.evolve(state, event), deliveryDecider.initial);
    return delivery.status === 'unscheduled' || delivery.accountId !== accountId ? undefined : { delivery, events };
  }

  /** The records of these deliveries of an account, in the same order; what is not there is left out. */
  async of(accountId: string, deliveryIds: readonly string[]): Promise<WebhookDeliveryRecord[]> {
    const [read, notes] = await Promise.all([
      Promise.all(deliveryIds.map((id) => this.read(accountId, id))),
      this.notes.of(deliveryIds),
    ]);
    return read.flatMap((one) => (one ? [recordOf(one, notes)] : []));
  }
}

function recordOf({ delivery, events }: ReadDelivery, notes: readonly AttemptRow[]): WebhookDeliveryRecord {
  const own = new Map(
    notes.filter((note) => note.delivery_id === delivery.deliveryId).map((note) => [note.attempt, note]),
  );
  return {
    id: delivery.deliveryId,
    endpointId: delivery.endpointId,
    accountId: delivery.accountId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    resourceType: delivery.resource?.type ?? null,
    resourceId: delivery.resource?.id ?? null,
    state: delivery.status,
    nextAttemptAt: delivery.status === 'pending' ? delivery.dueAt : null,
    replayOf: delivery.replayOf,
    createdAt: delivery.scheduledAt,
    updatedAt: delivery.updatedAt,
    attempts: attemptsOf(events).map((attempt) => withNote(attempt, own.get(attempt.attempt))),
  };
}

const withNote = (attempt: DeliveryAttemptRecord, note: AttemptRow | undefined): DeliveryAttemptRecord =>
  note ? { ...attempt, latencyMs: Number(note.latency_ms), response: note.response as Sealed | null } : attempt;

/** The attempts that the events of a delivery tell of, oldest first. */
export function attemptsOf(events: readonly Pick<Recorded<DeliveryEvent>, 'type' | 'data'>[]): DeliveryAttemptRecord[] {
  const attempts = new Map<number, DeliveryAttemptRecord>();
  for (const event of events as readonly DeliveryEvent[]) {
    const attempt = attemptOf(event);
    if (attempt) attempts.set(attempt.attempt, attempt);
  }
  return [...attempts.values()].sort((one, other) => one.attempt - other.attempt);
}

function attemptOf(event: DeliveryEvent): DeliveryAttemptRecord | undefined {
  const unknown = { latencyMs: null, response: null };
  switch (event.type) {
    case 'DeliveredAtOnce':
      return {
        ...unknown,
        attempt: 1,
        at: event.data.succeededAt,
        outcome: 'delivered',
        httpStatus: event.data.httpStatus,
      };
    case 'DeliveryStarted':
      return {
        ...unknown,
        attempt: event.data.attempt,
        at: event.data.startedAt,
        outcome: 'under-way',
        httpStatus: null,
      };
    case 'DeliverySucceeded':
      return {
        ...unknown,
        attempt: event.data.attempt,
        at: event.data.succeededAt,
        outcome: 'delivered',
        httpStatus: event.data.httpStatus,
      };
    case 'DeliveryAttemptFailed':
      return {
        ...unknown,
        attempt: event.data.attempt,
        at: event.data.failedAt,
        outcome: event.data.reason,
        httpStatus: event.data.httpStatus,
      };
    case 'DeliveryScheduled':
    case 'DeliveryReplayed':
      return undefined;
  }
}
