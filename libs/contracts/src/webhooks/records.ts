import type { Sealed } from '@ponte/event-sourcing';
import type { WebhookDeliveryState } from '../state-machines';
import type { Timestamp } from '../shared';
import type { DeliveryFailureReason } from './delivery-events';
import type { EndpointDisabledReason } from './endpoint-events';
import type { PublishedEnvelope } from './outbox-events';
import type { WebhookEventType } from './webhook-events';

export interface WebhookEndpointRecord {
  readonly id: string;
  readonly accountId: string;
  /** With its query masked. */
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[] | null;
  /** Null when none was given. */
  readonly description: string | null;
  /** Nothing is sent to a disabled endpoint. */
  readonly status: 'enabled' | 'disabled';
  /** Null while it is enabled. */
  readonly disabledReason: EndpointDisabledReason | null;
  readonly disabledAt: Timestamp | null;
  /** Until when requests are also signed with the previous secret; null without one. */
  readonly previousSecretUntil: Timestamp | null;
  readonly createdAt: Timestamp;
}

export interface DeliveryAttemptRecord {
  /** From 1. */
  readonly attempt: number;
  /** When it ended, or when it began while it is running. */
  readonly at: Timestamp;
  readonly outcome: 'delivered' | DeliveryFailureReason | 'under-way';
  /** Null without a response. */
  readonly httpStatus: number | null;
  /** Milliseconds from the start of the connection to the status line; null when unknown. */
  readonly latencyMs: number | null;
  /**
   * The first 1 kB of the response without the personal fields that were sent, sealed under the endpoint's id; null
   * when it was empty or unknown.
   */
  readonly response: Sealed | null;
}

export interface WebhookDeliveryRecord {
  readonly id: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** Null for deliveries recorded before this field existed. */
  readonly resourceType: PublishedEnvelope['resourceType'] | null;
  readonly resourceId: string | null;
  readonly state: WebhookDeliveryState;
  /** Null when it has ended. */
  readonly nextAttemptAt: Timestamp | null;
  /** The delivery that this one repeats; null for the first delivery of the event to this endpoint. */
  readonly replayOf: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttemptRecord[];
}

/** Null fields do not filter. */
export interface DeliveryFilters {
  readonly state: WebhookDeliveryState | null;
  readonly eventType: WebhookEventType | null;
  readonly resourceType: PublishedEnvelope['resourceType'] | null;
  readonly resourceId: string | null;
}

/** An accepted replay, which is executed in the background. */
export interface WebhookReplayRecord {
  readonly replayId: string;
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly eventTypes: readonly WebhookEventType[] | null;
  readonly missedOnly: boolean;
  readonly requestedAt: Timestamp;
}

/** An event of an account's event log. */
export interface LoggedEvent {
  /** From 1, without gaps. */
  readonly number: number;
  readonly envelope: PublishedEnvelope;
}

/** `expired`: events after `after` are older than 90 days; `firstKept` is the number of the first newer one. */
export type AccountEventsPage =
  | { readonly expired: true; readonly firstKept: number }
  | {
      readonly expired: false;
      readonly events: readonly LoggedEvent[];
      /** The `after` of the next page. */ readonly next: number;
      readonly more: boolean;
    };

/** One check, in order. Checks that depend on a failed one are `skipped`. */
export interface SignatureCheck {
  readonly part: string;
  readonly result: 'correct' | 'wrong' | 'skipped';
  readonly message: string;
}

/** What a receiver received and uses to verify it, as sent to {@link CheckWebhookSignature}. */
export interface WebhookSignatureParts {
  /** The secret that the receiver uses. */
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}
