import type { Body } from './operation-types';

/** A kind of event; later versions of the API may add kinds. */
export type WebhookEventType =
  NonNullable<Body<'create-webhook-endpoint'>['event-types']>[number] | 'webhook-ping' | (string & {});

/** What is posted to an endpoint and listed in the event log. */
export interface WebhookEvent {
  /** The same on every retry: remember it to recognise a repetition. */
  readonly 'event-id': string;
  readonly 'event-type': WebhookEventType;
  /** The members of each kind are in the API's reference. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly 'account-id': string;
  readonly 'resource-type': string;
  readonly 'resource-id': string;
  /** Per resource, from 1 and without gaps. */
  readonly sequence: number;
  /** Absent for the first event of a resource. */
  readonly 'previous-state'?: string | null;
  readonly 'occurred-at': string;
  readonly 'api-version': string;
}
