import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OPERATIONS, Ponte } from '@ponte/sdk';
import {
  errorCodesText,
  eventTypesText,
  operationsText,
  operationTableText,
  partnerDocument,
} from '../../../../libs/sdk/generate/partner.cjs';
import type { OpenApi, ServedDocuments } from './served-documents';
import { servedDocuments } from './served-documents';

const FOLDER = resolve(__dirname, '../../../../libs/sdk/src/generated');

const camel = (id: string): string => id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

let document: OpenApi;
let errors: ServedDocuments['errors'];
let committed: Record<string, string>;
beforeAll(async () => {
  ({ document, errors } = await servedDocuments());
  committed = Object.fromEntries(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
});

describe('the generated part of the SDK', () => {
  // Comparing the types needs the generator: see `sdk-types.client.ts`.
  it('has the operations, codes and event types that `npm run docs:sdk` writes from the served document', () => {
    const generated: Record<string, string> = {
      'operation-table.ts': operationTableText(partnerDocument(document)),
      'operations.ts': operationsText(partnerDocument(document)),
      'error-codes.ts': errorCodesText(errors),
      'event-types.ts': eventTypesText(partnerDocument(document)),
    };
    const stale = Object.keys(generated).filter((name) => generated[name] !== committed[name]);
    expect({ stale, fix: 'npm run docs:sdk' }).toEqual({ stale: [], fix: 'npm run docs:sdk' });
  });

  it('has a method for each operation that partners may call and for no other', () => {
    const partner = Object.entries(document.paths)
      .filter(([path]) => !path.startsWith('/staff'))
      .flatMap(([, item]) => Object.values(item));
    const ids = partner.map(({ operationId }) => operationId).sort();
    expect(ids.length).toBeGreaterThan(50);
    expect(Object.keys(OPERATIONS).sort()).toEqual(ids);
    const ponte = new Ponte({ baseUrl: 'http://127.0.0.1:1', apiKey: 'sk_test_1' }) as unknown as Record<
      string,
      unknown
    >;
    for (const id of ids) expect([id, typeof ponte[camel(id)]]).toEqual([id, 'function']);
  });

  it('contains no part of the staff API', () => {
    expect(Object.values(committed).join('\n')).not.toMatch(/\/staff\b|staff-session|StaffAccountDto/);
  });
});
