import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { STATE_MACHINES } from '@ponte/contracts';
import { CATALOGUE } from '../../../gateway/src/errors/catalogue';
import { REMEDIES } from './remedies';
import { servedPages } from './served-pages';

const SITE = resolve(__dirname, '../../../../docs/site');
const GENERATED = join(SITE, 'generated');
/** Codes that no partner operation returns. */
const STAFF_CODES = [
  'account-in-use',
  'review-changed',
  'failed-return-not-found',
  ...['deposit-not-waiting', 'account-not-closed', 'set-aside-pending', 'set-aside-not-pending'],
  'settlement-pending',
  'settlement-not-pending',
  'payment-already-settled',
  'bank-reference-already-used',
  'bank-reference-booked',
  'payer-account-frozen',
  ...[
    'certificate-not-found',
    'no-session',
    'sign-in-refused',
    'invalid-staff-token',
    'csrf-token-mismatch',
    'cross-origin-request',
    'no-staff-role',
  ],
  'screening-finding-not-found',
  ...['address-review-not-found', 'address-under-review', 'address-refused'],
  ...[
    'role-not-allowed',
    'personal-data-restricted',
    'account-not-found',
    'api-key-not-found',
    'case-file-not-found',
    'person-not-found',
  ],
  ...[
    'account-already-exists',
    'parent-account-not-found',
    'parent-not-a-partner',
    'api-key-already-exists',
    'invalid-public-key',
  ],
  ...[
    'review-claimed',
    'review-open',
    'second-approver-required',
    'second-member-required',
    'freeze-step-pending',
    'freeze-step-not-pending',
  ],
  ...[
    'account-already-frozen',
    'account-not-frozen',
    'screening-verdict-required',
    'screening-hit-not-found',
    'true-match-found',
  ],
  ...['verdict-final', 'erasure-not-confirmed'],
];

let pages: Record<string, string>;
beforeAll(async () => {
  pages = await servedPages();
});

describe('the generated parts of the guides', () => {
  it('equal what `npm run docs:pages` writes', () => {
    const committed = Object.fromEntries(
      readdirSync(GENERATED).map((name) => [name, readFileSync(join(GENERATED, name), 'utf8')]),
    );
    expect(committed).toEqual(pages);
  });

  it('have a remedy for every code that a partner can get and for no other', () => {
    const codes = CATALOGUE.map(({ code }) => code);
    expect(codes.filter((code) => REMEDIES[code] === undefined && !STAFF_CODES.includes(code))).toEqual([]);
    expect(Object.keys(REMEDIES).filter((code) => !codes.includes(code))).toEqual([]);
    expect(STAFF_CODES.filter((code) => REMEDIES[code] !== undefined || !codes.includes(code))).toEqual([]);
  });

  it('list the fields of an external wallet, which may be an address or an object', () => {
    for (const fields of ['kyc-fields.md', 'reliance-fields.md'])
      for (const field of ['address', 'custody-type', 'custody-country', 'custodian-name', 'proof.signature'])
        expect(pages[fields]).toContain(`| \`external-wallets[].${field}\` |`);
  });

  it('draw every transition of every resource', () => {
    for (const [resource, moves] of Object.entries(STATE_MACHINES)) {
      expect(pages['states.md']).toContain(`{#${resource}}`);
      for (const [from, targets] of Object.entries<readonly string[]>(moves))
        for (const to of targets)
          expect(pages['states.md']).toContain(`  ${from.replaceAll('-', '_')} --> ${to.replaceAll('-', '_')}\n`);
    }
  });

  it('are each included by a page', () => {
    const text = readdirSync(SITE)
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(SITE, name), 'utf8'))
      .join('\n');
    expect(Object.keys(pages).filter((name) => !text.includes(`./generated/${name}`))).toEqual([]);
  });
});
