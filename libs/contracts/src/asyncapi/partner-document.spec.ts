import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exampleEvent, payloadFaults } from '../webhooks/kind-schemas';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_KINDS } from '../webhooks/kinds';
import { asText } from './document';
import { asyncApiViolations } from './document-violations';
import { partnerAsyncApiDocument } from './partner-document';

const committed = readFileSync(join(resolve(__dirname, '../../../..'), 'docs/partner-asyncapi.json'), 'utf8');

describe('the AsyncAPI document for partners', () => {
  it('is committed as the definitions say; `npm run docs:asyncapi` writes it again', () => {
    expect(committed === asText(partnerAsyncApiDocument())).toBe(true);
  });

  it('is an AsyncAPI 3 document without a violation, with a message for every type', () => {
    const document = JSON.parse(committed) as { components: { messages: object } };
    expect(asyncApiViolations(document)).toEqual([]);
    expect(Object.keys(document.components.messages)).toEqual(expect.arrayContaining([...WEBHOOK_EVENT_TYPES]));
  });

  it.each(WEBHOOK_EVENT_TYPES)('has an example of %s that fits its own definition', (type) => {
    expect(payloadFaults(type, exampleEvent(type)['payload'] as Record<string, unknown>)).toEqual([]);
    expect(WEBHOOK_KINDS[type].summary).not.toBe('');
  });
});
