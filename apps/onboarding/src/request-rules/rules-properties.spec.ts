import * as fc from 'fast-check';
import type { ClearKycRequest } from '@ponte/contracts';
import { requestViolations } from './request-rules.domain';
import { namedFiles } from './file-rules.domain';
import { HOME, ONE, PASSPORT, REPRESENTATIVE, RG, reported, wallet, withRepresentative } from '../testing/kyc-request';
import { filesAndWallets, valid } from '../testing/random-requests';

describe('The request rules, for random requests,', () => {
  type Break = [string, (request: ClearKycRequest) => Partial<ClearKycRequest> | null];
  const inBrazil = ({ taxResidence }: ClearKycRequest) => taxResidence === 'BRA';
  const breaks: Break[] = [
    [
      'identifier-country-mismatch identifier.country',
      (one) => ({ taxResidence: inBrazil(one) ? 'PRT' : 'BRA', document: PASSPORT }),
    ],
    [
      'invalid-cpf identifier.value',
      (one) => (inBrazil(one) ? { identifier: { ...one.identifier, value: '52998224726' } } : null),
    ],
    [
      'invalid-passport identifier.value',
      (one) => (inBrazil(one) ? null : { identifier: { ...one.identifier, value: '+++++' } }),
    ],
    ['invalid-country tax-residence', () => ({ taxResidence: 'XXX' })],
    ['invalid-country identifier.country', (one) => ({ identifier: { ...one.identifier, country: 'XXX' } })],
    ['invalid-country address.country', () => ({ address: { ...HOME, country: 'ZZZ' } })],
    ['invalid-phone phone', () => ({ phone: 'x'.repeat(33) })],
    ['invalid-address external-wallets[0].address', () => ({ externalWallets: [wallet('0x12')] })],
    [
      'bad-address-checksum external-wallets[0].address',
      () => ({ externalWallets: [wallet('0x52908400098527886e0f7030069857d2e4169eE7')] }),
    ],
    ['holder-under-age date-of-birth', () => ({ dateOfBirth: '2010-01-01' })],
    ['state-required address.state', () => ({ address: { ...HOME, state: null } })],
    ['invalid-state address.state', () => ({ address: { ...HOME, state: 'ZZ' } })],
    [
      'document-type-not-allowed document.type',
      (one) => (inBrazil(one) ? null : { document: { ...PASSPORT, type: 'cnh' } }),
    ],
    [
      'back-file-required document.back-file-id',
      (one) => (inBrazil(one) ? { document: { ...RG, backFileId: null } } : null),
    ],
    ['back-file-not-allowed document.back-file-id', () => ({ document: { ...PASSPORT, backFileId: 'ev_BACK' } })],
    [
      'pep-details-required pep.role',
      () => ({ pep: { declared: true, fullName: 'P', role: null, relationship: 'other' } }),
    ],
    [
      'representative-is-holder representative.identifier',
      (one) => ({ representative: { ...REPRESENTATIVE, identifier: one.identifier, taxResidence: one.taxResidence } }),
    ],
    [
      'representative-identifier-country-mismatch representative.identifier.country',
      () => withRepresentative({ taxResidence: 'BRA' }),
    ],
    ['invalid-country representative.tax-residence', () => withRepresentative({ taxResidence: 'XXX' })],
    [
      'invalid-passport representative.identifier.value',
      () => withRepresentative({ identifier: { value: '++', country: 'URY' } }),
    ],
    ['invalid-state representative.address.state', () => withRepresentative({ address: { ...HOME, state: 'ZZ' } })],
    [
      'invalid-country representative.address.country',
      () => withRepresentative({ address: { ...HOME, country: 'ZZZ' } }),
    ],
    [
      'back-file-not-allowed representative.document.back-file-id',
      () => withRepresentative({ document: { ...PASSPORT, backFileId: 'ev_BACK' } }),
    ],
    [
      'file-not-found representative.document.front-file-id',
      () => withRepresentative({ document: { ...PASSPORT, frontFileId: 'ev_OTHER' } }),
    ],
    [
      'pep-details-required representative.pep.relationship',
      () => withRepresentative({ pep: { declared: true, fullName: 'P', role: 'r', relationship: null } }),
    ],
    ['representative-under-age representative.date-of-birth', () => withRepresentative({ dateOfBirth: '2010-01-01' })],
    [
      'document-type-not-allowed representative.document.type',
      () => withRepresentative({ document: { ...PASSPORT, type: 'cnh' } }),
    ],
    ['state-required representative.address.state', () => withRepresentative({ address: { ...HOME, state: null } })],
    [
      'pep-details-required representative.pep.full-name',
      () => withRepresentative({ pep: { declared: true, fullName: null, role: 'r', relationship: 'other' } }),
    ],
    ['file-not-found document.front-file-id', (one) => ({ document: { ...one.document, frontFileId: 'ev_OTHER' } })],
    [
      'file-not-found representative.power-of-attorney-file-id',
      () => withRepresentative({ powerOfAttorneyFileId: 'ev_OTHER' }),
    ],
    ['duplicate-external-wallet external-wallets[1]', () => ({ externalWallets: [wallet(ONE), wallet(ONE)] })],
    [
      'external-wallet-already-registered external-wallets[0]',
      () => ({ externalWallets: [wallet(`0x${'d'.repeat(40)}`)] }),
    ],
  ];

  it('report nothing for a valid request, and exactly one violation with its code and path for one broken rule', () => {
    fc.assert(
      fc.property(valid, fc.constantFrom(...breaks), (request, [expected, change]) => {
        expect(reported(requestViolations(request, filesAndWallets))).toEqual([]);
        const changed = change(request);
        fc.pre(changed !== null);
        expect(reported(requestViolations({ ...request, ...changed }, filesAndWallets))).toEqual([expected]);
      }),
      { numRuns: 1000 },
    );
  });

  it('check every file that the request names once, and no other (rule 11)', () => {
    fc.assert(
      fc.property(valid, (request) => {
        const none = requestViolations(request, { ...filesAndWallets, knownFiles: new Set() });
        expect(none.map(({ path }) => path)).toEqual(namedFiles(request).map(({ path }) => path));
      }),
    );
  });
});
