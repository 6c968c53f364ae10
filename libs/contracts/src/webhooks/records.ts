import type { Sealed } from '@ponte/event-sourcing';
import type { WebhookDeliveryState } from '../state-machines';
import type { Timestamp } from '../shared';
import type { DeliveryFailureReason } from './delivery-events';
import type { EndpointDisabledReason } from './endpoint-events';
import type { PublishedEnvelope } from './outbox-events';
import type { WebhookEventType } from './kinds';

export interface WebhookEndpointRecord {
  readonly id: string;
  readonly accountId: string;
  /** With its query masked. */
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[] | null;
  /** Null where none was given. */
  readonly description: string | null;
  /** Nothing is sent to a disabled endpoint. */
  readonly status: 'enabled' | 'disabled';
  /** Null while it is enabled. */
  readonly disabledReason: EndpointDisabledReason | null;
  readonly disabledAt: Timestamp | null;
  /** Until then requests are signed with the previous secret, too; null when there is no such secret. */
  readonly previousSecretUntil: Timestamp | null;
  readonly createdAt: Timestamp;
}

/** One attempt of a delivery. */
export interface DeliveryAttemptRecord {
  /** From 1. */
  readonly attempt: number;
  /** When it ended; of one that is under way, when it began. */
  readonly at: Timestamp;
  readonly outcome: 'delivered' | DeliveryFailureReason | 'under-way';
  /** Null when no status came. */
  readonly httpStatus: number | null;
  /** From the first byte sent to the status line, in milliseconds; null when it was not kept. */
  readonly latencyMs: number | null;
  /**
   * The first 1 kB of the response, sealed under the endpoint's id, without the personal members that were sent;
   * null when it was empty or not kept.
   */
  readonly response: Sealed | null;
}

export interface WebhookDeliveryRecord {
  readonly id: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** Null in what was recorded before deliveries could be listed by resource. */
  readonly resourceType: PublishedEnvelope['resourceType'] | null;
  readonly resourceId: string | null;
  readonly state: WebhookDeliveryState;
  /** Null when it has ended. */
  readonly nextAttemptAt: Timestamp | null;
  /** The delivery that this one repeats; null when it is the first of its event to this endpoint. */
  readonly replayOf: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttemptRecord[];
}

/** Null: any. */
export interface DeliveryFilters {
  readonly state: WebhookDeliveryState | null;
  readonly eventType: WebhookEventType | null;
  readonly resourceType: PublishedEnvelope['resourceType'] | null;
  readonly resourceId: string | null;
}

/** A replay that was accepted; it is carried out in the background. */
export interface WebhookReplayRecord {
  readonly replayId: string;
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly eventTypes: readonly WebhookEventType[] | null;
  readonly missedOnly: boolean;
  readonly requestedAt: Timestamp;
}

/** An event of an account's log. */
export interface LoggedEvent {
  /** From 1, without gaps. */
  readonly number: number;
  readonly envelope: PublishedEnvelope;
}

/**
 * `expired`: what follows `after` is older than 90 days; `firstKept` is the number of the first event that is
 * not.
 */
export type AccountEventsPage =
  | { readonly expired: true; readonly firstKept: number }
  | {
      readonly expired: false;
      readonly events: readonly LoggedEvent[];
      /** The place after the last of them. */ readonly next: number;
      readonly more: boolean;
    };

/**
 * One thing that was checked, in the order of checking. After the first that is wrong, what depends on it is
 * `skipped`.
 */
export interface SignatureCheck {
  readonly part: string;
  readonly result: 'correct' | 'wrong' | 'skipped';
  readonly message: string;
}

/** What a receiver got and how it verifies it, as sent to {@link CheckWebhookSignature}. */
export interface WebhookSignatureParts {
  /** The secret that the receiver uses. */
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}
