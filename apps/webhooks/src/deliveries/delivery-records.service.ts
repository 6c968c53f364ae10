import { Injectable } from '@nestjs/common';
import { Semaphore } from '@ponte/concurrency';
import type { DeliveryAttemptRecord, DeliveryEvent, WebhookDeliveryRecord } from '@ponte/contracts';
import type { Recorded, Sealed } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import type { ScheduledDelivery } from './delivery.state';
import { deliveryDecider } from './delivery.decider';
import { JournaledStore } from '../journal/journaled-store.service';
import { DELIVERED } from '../outgoing-http/outgoing-http.port';
import type { AttemptRow } from './attempt-notes.read-model';
import { AttemptNotes } from './attempt-notes.read-model';
import type { DeliveryRow } from './deliveries.read-model';

const current = upcaster(deliveryDecider.events);

/** Streams of the log that are read at the same time for records. */
const READS_AT_ONCE = 4;

/** A delivery folded from its stream, with the events. */
export interface ReadDelivery {
  readonly delivery: ScheduledDelivery;
  readonly events: readonly Recorded<DeliveryEvent>[];
}

/**
 * Deliveries as shown to their account: read from their streams, which are always current, and completed with the
 * attempt notes.
 */
@Injectable()
export class DeliveryRecords {
  private readonly reads = new Semaphore(READS_AT_ONCE);

  constructor(
    private readonly store: JournaledStore,
    private readonly notes: AttemptNotes,
  ) {}

  /** Undefined when the delivery does not exist or belongs to another account. */
  async read(accountId: string, deliveryId: string): Promise<ReadDelivery | undefined> {
    return folded(accountId, await this.store.read(streamName(deliveryDecider.category, deliveryId)));
  }

  /**
   * The records of these deliveries of an account, in the same order. Unknown ids are left out. All calls together read
   * few streams of the log at a time, because deliveries that are being sent need the connections too. A delivery among
   * `rows` that succeeded at once needs no read.
   */
  async of(
    accountId: string,
    deliveryIds: readonly string[],
    rows: readonly DeliveryRow[] = [],
  ): Promise<WebhookDeliveryRecord[]> {
    const atOnce = new Map(rows.filter(succeededAtOnce).map((row) => [row.id, row]));
    const unread = deliveryIds.filter((id) => !atOnce.has(id));
    const [streams, notes] = await Promise.all([
      unread.length === 0 ? [] : this.store.readAll(unread, (read) => this.reads.pass(read)),
      this.notes.of(deliveryIds),
    ]);
    const recorded = new Map(unread.map((id, at) => [id, streams[at] ?? []]));
    return deliveryIds.flatMap((id) => {
      const row = atOnce.get(id);
      if (row) return row.account_id === accountId ? [recordOfRow(row, notes)] : [];
      const read = folded(accountId, recorded.get(id) ?? []);
      return read ? [recordOf(read, notes)] : [];
    });
  }
}

function folded(accountId: string, recorded: readonly Recorded[]): ReadDelivery | undefined {
  const events = recorded.map((event) => current<DeliveryEvent>(event));
  const delivery = events.reduce((state, event) => deliveryDecider.evolve(state, event), deliveryDecider.initial);
  return delivery.status === 'unscheduled' || delivery.accountId !== accountId ? undefined : { delivery, events };
}

/**
 * Whether the only event of the delivery is `DeliveredAtOnce`: the first revision of any other delivery is pending. The
 * row then has all of its data, and is final. PostgreSQL's driver gives a bigint as text.
 */
const succeededAtOnce = ({ revision, state }: DeliveryRow): boolean => Number(revision) === 0 && state === 'succeeded';

function recordOfRow(row: DeliveryRow, notes: readonly AttemptRow[]): WebhookDeliveryRecord {
  const { id, updated_at: at } = row;
  const attempt = { attempt: 1, at, outcome: 'delivered', httpStatus: DELIVERED } as const;
  const note = notes.find((one) => one.delivery_id === id && one.attempt === 1);
  return {
    id,
    ...{ endpointId: row.endpoint_id, accountId: row.account_id, eventId: row.event_id, eventType: row.event_type },
    ...{ resourceType: row.resource_type as WebhookDeliveryRecord['resourceType'], resourceId: row.resource_id },
    ...{ state: row.state, nextAttemptAt: null, replayOf: null, createdAt: row.created_at, updatedAt: at },
    attempts: [withNote({ ...attempt, latencyMs: null, response: null }, note)],
  };
}

function recordOf({ delivery, events }: ReadDelivery, notes: readonly AttemptRow[]): WebhookDeliveryRecord {
  const own = new Map(
    notes.filter((note) => note.delivery_id === delivery.deliveryId).map((note) => [note.attempt, note]),
  );
  return {
    id: delivery.deliveryId,
    ...pick(delivery, 'endpointId', 'accountId', 'eventId', 'eventType'),
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
  note ? { ...attempt, latencyMs: note.latency_ms, response: note.response as Sealed | null } : attempt;

/** The attempts of a delivery, oldest first. */
function attemptsOf(events: readonly Pick<Recorded<DeliveryEvent>, 'type' | 'data'>[]): DeliveryAttemptRecord[] {
  const attempts = new Map<number, DeliveryAttemptRecord>();
  for (const event of events as readonly DeliveryEvent[]) {
    const attempt = attemptOf(event);
    if (attempt) attempts.set(attempt.attempt, attempt);
  }
  return [...attempts.values()].sort((one, other) => one.attempt - other.attempt);
}

function attemptOf({ type, data }: DeliveryEvent): DeliveryAttemptRecord | undefined {
  const unknown = { latencyMs: null, response: null };
  switch (type) {
    case 'DeliveredAtOnce':
      return { ...unknown, attempt: 1, at: data.succeededAt, outcome: 'delivered', httpStatus: data.httpStatus };
    case 'DeliveryStarted':
      return { ...unknown, attempt: data.attempt, at: data.startedAt, outcome: 'under-way', httpStatus: null };
    case 'DeliverySucceeded': {
      const { attempt, succeededAt: at, httpStatus } = data;
      return { ...unknown, attempt, at, outcome: 'delivered', httpStatus };
    }
    case 'DeliveryAttemptFailed':
      return {
        ...unknown,
        attempt: data.attempt,
        at: data.failedAt,
        outcome: data.reason,
        httpStatus: data.httpStatus,
      };
    case 'DeliveryScheduled':
    case 'DeliveryReplayed':
      return undefined;
  }
}
