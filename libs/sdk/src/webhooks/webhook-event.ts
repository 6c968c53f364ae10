import type { WEBHOOK_EVENT_TYPES } from '../generated/event-types';
import type { operations } from '../generated/schema';

/** A type of event. */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

type BodyOf<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Event } } }
  ? Event
  : never;

/**
 * The body of a webhook, and an entry of the event log. A comparison of `event-type` selects the type of the payload.
 * Later versions of the API may add types, so a program must be able to ignore an event that it does not know.
 *
 * - `event-id` is the same on every retry: store it to recognize repetitions.
 * - `sequence` counts the events of a resource from 1, without gaps.
 */
export type WebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
  [One in Type]: BodyOf<operations[`receive-${One}`]>;
}[Type];
