import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Parser } from '@asyncapi/parser';
import { WEBHOOK_EVENT_TYPES } from '../webhooks/events';
import { exampleEvent, payloadFaults } from '../webhooks/kind-schemas';
import { WEBHOOK_KINDS } from '../webhooks/kinds';
import { asText } from './document';
import { partnerAsyncApiDocument } from './partner-document';

/** Loading and running the validator takes some seconds. */
jest.setTimeout(120_000);

const committed = readFileSync(join(resolve(__dirname, '../../../..'), 'docs/partner-asyncapi.json'), 'utf8');

describe('the AsyncAPI document for partners', () => {
  it('is committed as the definitions say; `npm run docs:asyncapi` writes it again', () => {
    expect(committed === asText(partnerAsyncApiDocument())).toBe(true);
  });

  it('is an AsyncAPI 3 document without a fault', async () => {
    const { document, diagnostics } = await new Parser().parse(committed);
    expect(diagnostics.filter(({ severity }) => severity === 0)).toEqual([]);
    expect(document?.messages().length).toBeGreaterThanOrEqual(WEBHOOK_EVENT_TYPES.length);
  });

  it.each(WEBHOOK_EVENT_TYPES)('has an example of %s that fits its own definition', (type) => {
    expect(payloadFaults(type, exampleEvent(type)['payload'] as Record<string, unknown>)).toEqual([]);
    expect(WEBHOOK_KINDS[type].summary).not.toBe('');
  });
});
