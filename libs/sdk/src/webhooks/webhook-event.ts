import type { Body } from '../operation-types';

/** A type of event. Later versions of the API may add types. */
export type WebhookEventType =
  NonNullable<Body<'create-webhook-endpoint'>['event-types']>[number] | 'webhook-ping' | (string & {});

/** The body of a webhook, and an entry of the event log. */
export interface WebhookEvent {
  /** The same on every retry. Store it to recognize repetitions. */
  readonly 'event-id': string;
  readonly 'event-type': WebhookEventType;
  /** The members for each type are listed in the API reference. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly 'account-id': string;
  readonly 'resource-type': string;
  readonly 'resource-id': string;
  /** Counts the events of a resource from 1, without gaps. */
  readonly sequence: number;
  /** Absent for the first event of a resource. */
  readonly 'previous-state'?: string | null;
  readonly 'occurred-at': string;
  readonly 'api-version': string;
}
