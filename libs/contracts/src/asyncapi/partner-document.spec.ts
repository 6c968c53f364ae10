import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from '../webhooks/webhook-events';
import { asText } from './document';
import { asyncApiViolations } from './document-violations.testing';
import { partnerAsyncApiDocument } from './partner-document';

const committed = readFileSync(join(resolve(__dirname, '../../../..'), 'docs/partner-asyncapi.json'), 'utf8');

describe('the AsyncAPI document for partners', () => {
  it('is up to date with the definitions; `npm run docs:asyncapi` regenerates it', () => {
    expect(committed === asText(partnerAsyncApiDocument())).toBe(true);
  });

  it('is a valid AsyncAPI 3 document with a message for every event type', () => {
    const document = JSON.parse(committed) as { components: { messages: object } };
    expect(asyncApiViolations(document)).toEqual([]);
    expect(Object.keys(document.components.messages)).toEqual(expect.arrayContaining([...WEBHOOK_EVENT_TYPES]));
  });

  it.each(WEBHOOK_EVENT_TYPES)('has a summary of %s', (type) => {
    expect(WEBHOOK_EVENTS[type].summary).not.toBe('');
  });
});
