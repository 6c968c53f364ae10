import { eventSchema, exampleEvent, WEBHOOK_HEADERS } from '../webhooks/webhook-event-schemas';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from '../webhooks/webhook-events';
import type { Schema } from './schemas';

const ABOUT = [
  'The events a partner is notified of. They are posted to its webhook endpoints and listed in the same order in the event log of the account.',
  'Delivery is at least once: ignore an `event-id` that you have handled. `sequence` counts the events of each ' +
    'resource from 1 without gaps.',
].join('\n\n');

/**
 * The AsyncAPI 3 document for partners: all kinds of webhook events, from the definitions that also validate payloads.
 */
export function partnerAsyncApiDocument(): Schema {
  const kinds = WEBHOOK_EVENT_TYPES;
  const messages = Object.fromEntries(kinds.map((type) => [type, { $ref: `#/components/messages/${type}` }]));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Ponte events for partners', version: '1.0.0', description: ABOUT },
    defaultContentType: 'application/json',
    channels: {
      webhooks: {
        address: null,
        description: 'The URL of a webhook endpoint. Only a 200 response within 5 s acknowledges the event.',
        messages,
      },
      events: {
        address: '/api/v1/accounts/{account-id}/events/stream',
        description:
          'Server-Sent Events: `id` is the number in the log, `event` its type, `data` the event. `Last-Event-ID` ' +
          'resumes after that number.',
        parameters: { 'account-id': { description: 'The account' } },
        messages,
      },
    },
    operations: {
      'post-to-webhook-endpoint': { action: 'send', channel: { $ref: '#/channels/webhooks' } },
      'send-to-event-stream': { action: 'send', channel: { $ref: '#/channels/events' } },
    },
    components: { messages: Object.fromEntries(kinds.map((type) => [type, messageOf(type)])) },
  };
}

const messageOf = (type: (typeof WEBHOOK_EVENT_TYPES)[number]): Schema => ({
  name: type,
  title: type,
  summary: WEBHOOK_EVENTS[type].summary,
  contentType: 'application/json',
  headers: { type: 'object', properties: WEBHOOK_HEADERS },
  payload: eventSchema(type),
  examples: [{ payload: exampleEvent(type) }],
});
