import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asyncApiViolations } from './document-violations.testing';

const read = (): Record<string, Record<string, Record<string, Record<string, unknown>>>> =>
  JSON.parse(readFileSync(join(resolve(__dirname, '../../../..'), 'docs/partner-asyncapi.json'), 'utf8'));

/** [the planted mistake, how to plant it, the expected violation] */
const PLANTED: readonly (readonly [string, (document: ReturnType<typeof read>) => void, RegExp])[] = [
  ['another version', (document) => Object.assign(document, { asyncapi: '2.6.0' }), /^\/asyncapi: must be 3\.0\.0$/],
  ['no channels', (document) => delete document['channels'], /^\/channels: is required$/],
  [
    'an unknown field',
    (document) => Object.assign(document, { topics: {} }),
    /^\/topics: .* does not define this member/,
  ],
  ['an info without a title', (document) => delete document['info']?.['title'], /^\/info\/title: is required$/],
  [
    'a missing message',
    (document) => delete document['components']?.['messages']?.['order-created'],
    /#\/components\/messages\/order-created does not exist$/,
  ],
  [
    'a message without a payload',
    (document) => delete document['components']?.['messages']?.['order-created']?.['payload'],
    /^\/components\/messages\/order-created\/payload: is required$/,
  ],
  [
    'an operation without a channel',
    (document) => Object.assign(document['operations']?.['post-to-webhook-endpoint'] ?? {}, { channel: {} }),
    /channel: must refer to a channel/,
  ],
  [
    'an unknown action',
    (document) => Object.assign(document['operations']?.['post-to-webhook-endpoint'] ?? {}, { action: 'publish' }),
    /action: must be send or receive$/,
  ],
  [
    'an unknown type',
    (document) =>
      Object.assign(document['components']?.['messages']?.['order-created']?.['payload'] ?? {}, { type: 'map' }),
    /payload\/type: map is not a JSON Schema type/,
  ],
];

describe('the violations of an AsyncAPI document', () => {
  it('are empty for the committed document', () => {
    expect(asyncApiViolations(read())).toEqual([]);
  });

  it.each(PLANTED)('name %s', (_, plant, violation) => {
    const document = read();
    plant(document);
    expect(asyncApiViolations(document)).toContainEqual(expect.stringMatching(violation));
  });
});
