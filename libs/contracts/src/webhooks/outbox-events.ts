import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { WebhookResourceType } from './webhook-event';
import type { WebhookEventType } from './webhook-events';

/**
 * The published form of an event, as endpoints receive it, except that personal fields stay sealed until it is sent.
 */
export interface PublishedEnvelope {
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** The account that the event is about. */
  readonly accountId: string;
  readonly resourceType: WebhookResourceType;
  readonly resourceId: string;
  /** Number of the event among the events of its resource, from 1 without gaps. */
  readonly sequence: number;
  readonly previousState: string | null;
  readonly occurredAt: Timestamp;
  readonly apiVersion: 'v1';
  /** Fields in kebab-case; a value may be `Sealed`. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface OutboxEntry {
  readonly envelope: PublishedEnvelope;
  /** Position in the log of the event that the entry publishes. */
  readonly sourcePosition: string;
  /**
   * Correlation id of the request that caused that event. Absent in version 1, where the outbox event has the
   * correlation id.
   */
  readonly correlationId?: string;
  /**
   * When an operator released the event, if it was parked; `sourcePosition` is then that of the release. Absent if it
   * was published at once.
   */
  readonly publishedAt?: Timestamp;
}

interface SingleEntry {
  readonly envelope: PublishedEnvelope;
  readonly sourcePosition: string;
}

/**
 * Stream `outbox-<accountId>`: the webhook events of an account and its sub-accounts. One event contains the entries
 * that were written together. `first` is the number of the first entry, from 1 without gaps, and `sourcePosition` that
 * of the last entry. In version 1 each event had one entry, numbered by its revision + 1, and `first` is null.
 */
export class EnvelopePublished extends event('EnvelopePublished', 2, {
  1: ({ envelope, sourcePosition }: SingleEntry) => ({
    first: null,
    entries: [{ envelope, sourcePosition }],
    sourcePosition,
  }),
})<{ first: number | null; entries: readonly OutboxEntry[]; sourcePosition: string }> {}

/** The entries of an outbox event of any version. */
export const outboxEntries = (data: EnvelopePublished['data'] | SingleEntry): readonly OutboxEntry[] =>
  'entries' in data ? data.entries : [data];

/**
 * Stream `webhookRelease-<id>`: an operator releases the parked events of one stream. They are published at this
 * position of the log, after everything that was published before it.
 */
export class WebhookEventsReleased extends event('WebhookEventsReleased')<{
  /** Name of the stream whose events were parked. */
  stream: string;
  releasedAt: Timestamp;
}> {}
