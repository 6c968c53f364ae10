import type { ServiceName } from '../services';
import { SERVICES, UNPUBLISHED_EVENTS } from '../services';
import { COMPLIANCE_REVIEWS, REVIEW_NOTICE_TYPES } from '../onboarding';
import { noticeExamples } from './notice-examples';
import type { Schema } from './schemas';
import { Schemas } from './schemas';
import type { EventSource } from './source';
import { ContractSource } from './source';

const VERSION = '1.0.0';
const CONTENT_TYPE = 'application/cloudevents+json';
const ABOUT = [
  'The events that Ponte publishes to Kafka for internal consumers. Partners are notified by webhooks.',
  'Every message is a CloudEvent 1.0 in structured mode. Delivery is at least once and in order per key: ignore an event whose `id` you have handled, or whose `revision` is not above the last one of its `subject`.',
  'Within a version of an event (`typeversion`) fields may be added but are never removed. Personal data is ' +
    'encrypted or absent.',
].join('\n\n');

/** The AsyncAPI 3 document of all topics that other systems may read, generated from the contracts in `root`. */
export function asyncApiDocument(root: string): Schema {
  const source = new ContractSource(root);
  const schemas = new Schemas(source);
  const events = source.events().filter(({ name }) => !UNPUBLISHED_EVENTS.includes(name));
  const topics = SERVICES.filter((service) => events.some((event) => event.service === service));
  const stored = schemas.ofInterface('StoredCloudEvent');
  const messages = {
    ...Object.fromEntries(events.map((event) => [event.name, storedMessage(event, stored, schemas)])),
    ...noticeMessages(source, schemas),
  };
  return {
    asyncapi: '3.0.0',
    info: { title: 'Ponte events', version: VERSION, description: ABOUT },
    defaultContentType: CONTENT_TYPE,
    channels: {
      ...Object.fromEntries(topics.map((service) => [`${service}.events`, serviceChannel(service, events)])),
      [COMPLIANCE_REVIEWS]: channel(
        COMPLIANCE_REVIEWS,
        'The progress of compliance reviews, without personal data. The key is the id of the account request.',
        Object.keys(REVIEW_NOTICE_TYPES).map(noticeName),
      ),
    },
    operations: Object.fromEntries(
      [...topics.map((service) => `${service}.events`), COMPLIANCE_REVIEWS].map((topic) => [
        `publish-${topic}`,
        {
          action: 'send',
          channel: { $ref: `#/channels/${topic}` },
          summary: `Ponte publishes to ${topic}`,
        },
      ]),
    ),
    components: { messages, schemas: schemas.components },
  };
}

const serviceChannel = (service: ServiceName, events: readonly EventSource[]): Schema =>
  channel(
    `${service}.events`,
    `The events that ${service} records. The key is the name of the stream.`,
    events.filter((event) => event.service === service).map(({ name }) => name),
  );

const channel = (address: string, description: string, names: readonly string[]): Schema => ({
  address,
  description,
  messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
});

const storedMessage = ({ name, version, description, data }: EventSource, envelope: Schema, schemas: Schemas): Schema =>
  message(
    name,
    description,
    envelope,
    { type: { const: name }, typeversion: { const: version }, data: schemas.of(data) },
    'The name of the stream',
  );

const noticeName = (type: string): string => `${type}Notice`;

function noticeMessages(source: ContractSource, schemas: Schemas): Readonly<Record<string, Schema>> {
  const envelope = schemas.ofInterface('CloudEvent');
  const examples = noticeExamples();
  return Object.fromEntries(
    Object.entries(REVIEW_NOTICE_TYPES).map(([event, type]) => {
      const name = noticeName(event);
      const about = source.descriptionOf(source.interfaceOf(name));
      const described = message(
        name,
        about,
        envelope,
        { type: { const: type }, data: schemas.ofInterface(name) },
        'The id of the account request',
      );
      return [
        name,
        { ...described, examples: examples.filter((one) => one.type === type).map((payload) => ({ payload })) },
      ];
    }),
  );
}

const message = (name: string, description: string, envelope: Schema, properties: Schema, key: string): Schema => ({
  name,
  title: name,
  contentType: CONTENT_TYPE,
  ...(description === '' ? {} : { summary: description }),
  payload: { allOf: [envelope, { type: 'object', required: Object.keys(properties), properties }] },
  bindings: { kafka: { key: { type: 'string', description: key }, bindingVersion: '0.5.0' } },
});

/** The text as it is committed. */
export const asText = (document: Schema): string => `${JSON.stringify(document, null, 1)}\n`;
