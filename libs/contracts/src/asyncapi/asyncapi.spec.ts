import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as contracts from '..';
import { asText, asyncApiDocument } from './document';
import { asyncApiViolations } from './document-violations.testing';

const ROOT = resolve(__dirname, '../../../..');
const document = asyncApiDocument(ROOT) as {
  channels: Record<string, { messages: Record<string, unknown> }>;
  components: {
    messages: Record<
      string,
      { payload: { allOf: [unknown, { properties: { data: unknown } }] }; examples?: { payload: { data: object } }[] }
    >;
    schemas: Record<string, object>;
  };
};
const committed = readFileSync(join(ROOT, 'docs/asyncapi.json'), 'utf8');

it('docs/asyncapi.json is up to date with the contracts; `npm run docs:asyncapi` regenerates it', () => {
  expect(committed === asText(document)).toBe(true);
});

it('docs/asyncapi.json is a valid AsyncAPI 3 document', () => {
  expect(asyncApiViolations(JSON.parse(committed))).toEqual([]);
});

it('docs/asyncapi.json contains no asterisk of a comment, even from a link that a line break divides', () => {
  expect(asText(document)).not.toMatch(/`\*/);
});

it('docs/asyncapi.json has all events of the published categories, no others, and the notices of compliance.reviews', () => {
  const classes = Object.values(contracts).flatMap((one) =>
    typeof one === 'function' && 'upcasts' in one ? [(one as unknown as { type: string }).type] : [],
  );
  const services = Object.entries(document.channels).filter(([topic]) => topic.endsWith('.events'));
  expect(services.map(([topic]) => topic.replace('.events', ''))).toEqual(
    contracts.SERVICES.filter((service) => service !== 'gateway'),
  );
  expect(classes).toEqual(expect.arrayContaining([...contracts.UNPUBLISHED_EVENTS]));
  const published = new Set(classes.filter((type) => !contracts.UNPUBLISHED_EVENTS.includes(type)));
  expect(services.flatMap(([, { messages }]) => Object.keys(messages)).sort()).toEqual([...published].sort());
  expect(
    Object.keys(document.components.messages)
      .filter((name) => classes.includes(name))
      .sort(),
  ).toEqual([...published].sort());
  expect(Object.keys(document.channels[contracts.COMPLIANCE_REVIEWS]?.messages ?? {}).sort()).toEqual([
    'ReviewClaimedNotice',
    'ReviewDecidedNotice',
    'ReviewEscalatedNotice',
    'ReviewReleasedNotice',
    'ReviewRequestedNotice',
  ]);
});

it('docs/asyncapi.json describes required fields, enumerations and sealed fields', () => {
  const { messages, schemas } = document.components;
  const placed = messages['OrderPlaced']?.payload.allOf[1].properties.data as {
    required: string[];
    properties: Record<string, object>;
  };
  expect(placed.required).toEqual(
    expect.arrayContaining(['orderId', 'quoteId', 'externalId', 'sourceAmount', 'funding']),
  );
  expect(placed.properties['sourceAmount']).toEqual({ $ref: '#/components/schemas/DecimalText' });
  expect(placed.properties['externalId']).toEqual({ oneOf: [{ type: 'string' }, { type: 'null' }] });
  expect(schemas['AssetId']).toMatchObject({ enum: expect.arrayContaining(['fiat/brl', 'eth-base/brlv']) as string[] });
  expect(schemas['SealedPerson']).toMatchObject({
    properties: { identifier: { $ref: '#/components/schemas/Sealed' } },
  });
  for (const [name, schema] of Object.entries(schemas))
    expect([name, Object.keys(schema).length > 0]).toEqual([name, true]);
});

it('docs/asyncapi.json has an example with exactly the required fields for each notice', () => {
  const { messages, schemas } = document.components;
  for (const name of Object.keys(document.channels[contracts.COMPLIANCE_REVIEWS]?.messages ?? {})) {
    const data = messages[name]?.examples?.[0]?.payload.data ?? {};
    expect([name, Object.keys(data).sort()]).toEqual([
      name,
      [...(schemas[name] as { required: string[] }).required].sort(),
    ]);
  }
});
