import { eventSchema, exampleEvent, WEBHOOK_EVENT_TYPES, WEBHOOK_HEADERS, WEBHOOK_EVENTS } from '@ponte/contracts';

const headers = Object.entries(WEBHOOK_HEADERS).map(([name, schema]) => ({
  name,
  in: 'header',
  required: true,
  description: schema['description'],
  schema,
}));

/** The `webhooks` section of the OpenAPI document: the request of each kind, with schema, example and headers. */
export const webhooksSection = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    WEBHOOK_EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `receive-${type}`,
          tags: ['webhooks'],
          summary: WEBHOOK_EVENTS[type].summary,
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: eventSchema(type),
                examples: { example: { summary: WEBHOOK_EVENTS[type].summary, value: exampleEvent(type) } },
              },
            },
          },
          responses: {
            '200': {
              description:
                'Acknowledged. After any other status, or no response within 5 s, the event is sent again; 410 disables the endpoint',
            },
          },
        },
      },
    ]),
  );
