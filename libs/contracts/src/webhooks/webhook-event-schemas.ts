import type { WebhookEventDefinition } from './webhook-event';
import type { WebhookEventType } from './webhook-events';
import { WEBHOOK_EVENTS } from './webhook-events';
import type { JsonSchema } from './payload-fields';
import { ACCOUNT, ID, TIME } from './payload-fields';

function payloadSchema({ forms }: WebhookEventDefinition): JsonSchema {
  const schemas = forms.map((fields) => ({
    type: 'object',
    required: Object.entries(fields).flatMap(([name, { optional }]) => (optional ? [] : [name])),
    properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
  }));
  return schemas.length === 1 && schemas[0] ? schemas[0] : { oneOf: schemas };
}

/** An example event as it is sent, for the documentation. */
export function exampleEvent(type: WebhookEventType): Readonly<Record<string, unknown>> {
  const {
    forms: [fields = {}],
    resource,
    example: { sequence, previousState },
  } = WEBHOOK_EVENTS[type];
  const payload = Object.fromEntries(
    Object.entries(fields)
      .filter(([, { inExample }]) => inExample)
      .map(([name, { schema }]) => [name, (schema['examples'] as readonly unknown[])[0]]),
  );
  return {
    'event-id': '7c9e6679-7425-80de-944b-e07fc1f90ae7',
    'event-type': type,
    payload,
    'account-id': ACCOUNT,
    'resource-type': resource,
    'resource-id': resource === 'account' ? ACCOUNT : ID,
    sequence,
    ...(previousState === null ? {} : { 'previous-state': previousState }),
    'occurred-at': TIME,
    'api-version': 'v1',
  };
}

/** The schema of an event as it is sent. */
export const eventSchema = (type: WebhookEventType): JsonSchema => ({
  type: 'object',
  required: [
    'event-id',
    'event-type',
    'payload',
    'account-id',
    'resource-type',
    'resource-id',
    'sequence',
    'occurred-at',
    'api-version',
  ],
  properties: {
    'event-id': {
      type: 'string',
      format: 'uuid',
      description:
        'Id of the event: the same in every attempt and at every endpoint of an account. Also sent as `webhook-id`',
    },
    'event-type': { const: type },
    payload: payloadSchema(WEBHOOK_EVENTS[type]),
    'account-id': { type: 'string', format: 'uuid', description: 'The account that the event is about' },
    'resource-type': { const: WEBHOOK_EVENTS[type].resource },
    'resource-id': { type: 'string', description: 'The resource that the event is about' },
    sequence: {
      type: 'integer',
      minimum: 1,
      description: 'Number of the event among the events of its resource, from 1 without gaps',
    },
    'previous-state': { type: 'string', description: 'Previous state of the resource; absent from its first event' },
    'occurred-at': { type: 'string', format: 'date-time' },
    'api-version': { const: 'v1' },
  },
});

/** The headers of each request, from Standard Webhooks. */
export const WEBHOOK_HEADERS: Readonly<Record<string, JsonSchema>> = {
  'webhook-id': { type: 'string', description: 'The `event-id`: ignore an event that you have already handled' },
  'webhook-timestamp': {
    type: 'string',
    pattern: '^\\d+$',
    description:
      'Time of the attempt in seconds since 1970. Reject a request whose time differs from your clock by more than 5 minutes',
  },
  'webhook-signature': {
    type: 'string',
    description:
      '`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; after a rotation two, separated by a space',
  },
};
