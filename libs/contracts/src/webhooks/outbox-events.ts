import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { WebhookResourceType } from './kind';
import type { WebhookEventType } from './kinds';

/**
 * The published form of an event, as an endpoint gets it but for the personal members, which stay sealed until it is
 * sent.
 */
export interface PublishedEnvelope {
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** The account that the event is about. */
  readonly accountId: string;
  readonly resourceType: WebhookResourceType;
  readonly resourceId: string;
  /** Per resource, from 1, no gaps. */
  readonly sequence: number;
  readonly previousState: string | null;
  readonly occurredAt: Timestamp;
  readonly apiVersion: 'v1';
  /** Kebab-case members; a value may be `Sealed`. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface OutboxEntry {
  readonly envelope: PublishedEnvelope;
  /** Of the event that it tells of, in the log. */
  readonly sourcePosition: string;
  /** Of the request that set that event in motion. Absent where an entry was an event of its own, whose own it is. */
  readonly correlationId?: string;
}

interface EntryAlone {
  readonly envelope: PublishedEnvelope;
  readonly sourcePosition: string;
}

/**
 * Stream `outbox-<accountId>`: the webhook events of an account and its sub-accounts. The entries that were written
 * together are one event; `first` is the number of the first of them, from 1 and without gaps, and `sourcePosition`
 * that of the last. In version 1 each entry was an event: its number is its revision + 1, and `first` is null.
 */
export class EnvelopePublished extends event('EnvelopePublished', 2, {
  1: ({ envelope, sourcePosition }: EntryAlone) => ({
    first: null,
    entries: [{ envelope, sourcePosition }],
    sourcePosition,
  }),
})<{ first: number | null; entries: readonly OutboxEntry[]; sourcePosition: string }> {}

/** The entries of an outbox event of any version. */
export const outboxEntries = (data: EnvelopePublished['data'] | EntryAlone): readonly OutboxEntry[] =>
  'entries' in data ? data.entries : [data];
