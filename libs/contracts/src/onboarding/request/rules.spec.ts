import * as fc from 'fast-check';
import type { Violation, RewardTier } from '@ponte/kernel';
import { tierCapability } from '@ponte/kernel';
import type {
  ClearAddress,
  ClearDocument,
  ClearKycRequest,
  ClearPep,
  ClearRelianceRequest,
  ClearRepresentative,
} from './request-form';
import type { ParentFacts, RequestFacts } from './request-facts';
import {
  formViolations,
  permissionViolations,
  relianceViolations,
  relianceFormViolations,
  requestViolations,
} from './rules';
import { namedFiles } from './file-rules';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const NO_PEP: ClearPep = { declared: false, fullName: null, role: null, relationship: null };
const HOME: ClearAddress = {
  postalCode: '01310-100',
  line1: 'Av. Paulista 1000',
  line2: '',
  city: 'São Paulo',
  state: 'SP',
  country: 'BRA',
};
const ABROAD: ClearAddress = {
  postalCode: 'SW1A 1AA',
  line1: '10 Downing Street',
  line2: '',
  city: 'London',
  state: null,
  country: 'GBR',
};
const RG: ClearDocument = { type: 'rg', frontFileId: 'ev_FRONT', backFileId: 'ev_BACK' };
const PASSPORT: ClearDocument = { type: 'passport', frontFileId: 'ev_PASS', backFileId: null };

const brazilian = {
  identifier: { value: '529.982.247-25', country: 'BRA' },
  taxResidence: 'BRA',
  firstName: 'Joana',
  lastName: 'Lima',
  dateOfBirth: '1990-05-17',
  address: HOME,
  document: RG,
  pep: NO_PEP,
};
const foreigner = {
  identifier: { value: 'AB 123456', country: 'GBR' },
  taxResidence: 'GBR',
  firstName: 'Ann',
  lastName: 'Smith',
  dateOfBirth: '1980-01-02',
  address: ABROAD,
  document: { ...PASSPORT, frontFileId: 'ev_REP' },
  pep: NO_PEP,
};
const REPRESENTATIVE: ClearRepresentative = { ...foreigner, powerOfAttorneyFileId: 'ev_POWER' };
const REQUEST: ClearKycRequest = {
  ...brazilian,
  rewardTier: 90,
  email: 'joana@example.com',
  phone: '+55 11 91234-5678',
  motherFullName: 'Maria Lima',
  liveness: { id: 'session-1', provider: 'provider-1' },
  financialProfile: { sector: 'other', currency: 'BRL', monthlyIncome: 5000, netWorth: null, sourceOfFunds: null },
  representative: null,
  externalWallets: [],
  externalId: null,
};
const FACTS: RequestFacts = {
  nowMs: NOW,
  knownFiles: new Set(['ev_FRONT', 'ev_BACK', 'ev_PASS', 'ev_REP', 'ev_POWER']),
  takenWallets: new Set(),
  disprovenWallets: new Set(),
};
const wallet = (address: string) => ({
  address,
  custodyType: 'self' as const,
  custodyCountry: null,
  custodianName: null,
  proof: null,
});
const ONE = '0x52908400098527886e0f7030069857d2e4169ee7';
const TWO = '0x00000000000000000000000000000000000000aa';

const reported = (violations: readonly Violation[]): string[] => violations.map(({ code, path }) => `${code} ${path}`);
const withRepresentative = (change: Partial<ClearRepresentative>): Partial<ClearKycRequest> => ({
  representative: { ...REPRESENTATIVE, ...change },
});

/** [clause, change, violations]. `holder` rows are checked for the representative too, as rule 10 wants. */
const PERSON: [string, Partial<typeof brazilian>, string[]][] = [
  [
    'rule 3: a CPF with its mask, lower-case country',
    { identifier: { value: '529.982.247-25', country: 'bra' }, taxResidence: 'bra' },
    [],
  ],
  [
    'rule 3: BRA identifier, residence elsewhere',
    { taxResidence: 'USA', document: PASSPORT },
    ['mismatch identifier.country'],
  ],
  [
    'rule 3: identifier elsewhere, residence BRA',
    { identifier: { value: 'AB123456', country: 'GBR' } },
    ['mismatch identifier.country'],
  ],
  [
    'rule 3: wrong check digits',
    { identifier: { value: '52998224726', country: 'BRA' } },
    ['invalid-cpf identifier.value'],
  ],
  [
    'rule 3: one digit repeated',
    { identifier: { value: '11111111111', country: 'BRA' } },
    ['invalid-cpf identifier.value'],
  ],
  [
    'rule 3: a CNPJ is no CPF',
    { identifier: { value: '11222333000181', country: 'BRA' } },
    ['invalid-cpf identifier.value'],
  ],
  [
    'rule 3: passport of the country',
    { identifier: { value: 'x1234', country: 'usa' }, taxResidence: 'USA', document: PASSPORT },
    [],
  ],
  [
    'rule 3: any other country identifies by passport, whatever the residence',
    { identifier: { value: 'X1234', country: 'USA' }, taxResidence: 'GBR', document: PASSPORT },
    [],
  ],
  [
    'rule 3: too short a passport',
    { identifier: { value: 'X123', country: 'USA' }, taxResidence: 'USA', document: PASSPORT },
    ['invalid-passport identifier.value'],
  ],
  [
    'rule 3: a passport of a dotless i',
    { identifier: { value: 'xı2345', country: 'USA' }, taxResidence: 'USA', document: PASSPORT },
    ['invalid-passport identifier.value'],
  ],
  [
    'countries: identifier',
    { identifier: { value: 'X12345', country: 'XXX' }, taxResidence: 'USA', document: PASSPORT },
    ['invalid-country identifier.country'],
  ],
  ['countries: residence', { taxResidence: 'XXX' }, ['invalid-country tax-residence']],
  ['rule 4: the 18th birthday counts', { dateOfBirth: '2008-11-21' }, []],
  ['rule 4: the day before it', { dateOfBirth: '2008-11-22' }, ['under-age date-of-birth']],
  ['rule 4: a day that does not exist', { dateOfBirth: '1990-02-30' }, ['under-age date-of-birth']],
  ['rule 5: no state in BRA', { address: { ...HOME, state: null } }, ['state-required address.state']],
  ['rule 5: an empty state in BRA', { address: { ...HOME, state: ' ' } }, ['state-required address.state']],
  ['rule 5: no federal unit', { address: { ...HOME, state: 'XX' } }, ['invalid-state address.state']],
  ['rule 5: a name is no code', { address: { ...HOME, state: 'São Paulo' } }, ['invalid-state address.state']],
  ['rule 5: small letters are no code', { address: { ...HOME, state: 'sp' } }, ['invalid-state address.state']],
  ['rule 5: elsewhere it is optional', { address: ABROAD }, []],
  ['rule 5: elsewhere it is free text', { address: { ...ABROAD, state: 'Greater London' } }, []],
  ['rule 5: bra is BRA', { address: { ...HOME, country: 'bra', state: null } }, ['state-required address.state']],
  ['rule 5: no such country', { address: { ...HOME, country: 'ZZZ' } }, ['invalid-country address.country']],
  ['rule 6: cnh without a back in BRA', { document: { type: 'cnh', frontFileId: 'ev_FRONT', backFileId: null } }, []],
  ['rule 6: passport in BRA', { document: PASSPORT }, []],
  [
    'rule 6: rg without its back',
    { document: { ...RG, backFileId: null } },
    ['back-file-required document.back-file-id'],
  ],
  ['rule 6: cnh with a back', { document: { ...RG, type: 'cnh' } }, ['back-file-not-allowed document.back-file-id']],
  [
    'rule 6: passport with a back',
    { document: { ...RG, type: 'passport' } },
    ['back-file-not-allowed document.back-file-id'],
  ],
  [
    'rule 6: cnh elsewhere',
    { identifier: { value: 'X12345', country: 'USA' }, taxResidence: 'USA', document: { ...PASSPORT, type: 'cnh' } },
    ['document-type-not-allowed document.type'],
  ],
  [
    'rule 6: rg elsewhere',
    { identifier: { value: 'X12345', country: 'USA' }, taxResidence: 'USA', document: RG },
    ['document-type-not-allowed document.type'],
  ],
  [
    'rule 7: declared with everything',
    { pep: { declared: true, fullName: 'Joana Lima', role: 'mayor', relationship: 'self' } },
    [],
  ],
  [
    'rule 7: declared without a name',
    { pep: { declared: true, fullName: null, role: 'mayor', relationship: 'self' } },
    ['pep-details-required pep.full-name'],
  ],
  [
    'rule 7: declared with a blank role',
    { pep: { declared: true, fullName: 'J', role: ' ', relationship: 'self' } },
    ['pep-details-required pep.role'],
  ],
  [
    'rule 7: declared without a relationship',
    { pep: { declared: true, fullName: 'J', role: 'mayor', relationship: null } },
    ['pep-details-required pep.relationship'],
  ],
  [
    'rule 7: declared alone',
    { pep: { ...NO_PEP, declared: true } },
    ['pep-details-required pep.full-name', 'pep-details-required pep.role', 'pep-details-required pep.relationship'],
  ],
  [
    'not declared, the rest is ignored',
    { pep: { declared: false, fullName: 'J', role: null, relationship: 'other' } },
    [],
  ],
  [
    'rule 11: no such front',
    { document: { ...RG, frontFileId: 'ev_NONE' } },
    ['file-not-found document.front-file-id'],
  ],
  ['rule 11: no such back', { document: { ...RG, backFileId: 'ev_NONE' } }, ['file-not-found document.back-file-id']],
];

describe('rules 3 to 11, each clause, for holder and representative', () => {
  it.each(PERSON)('holder: %s', (_clause, change, expected) => {
    const named = expected.map((one) =>
      one.replace(/^mismatch/, 'identifier-country-mismatch').replace(/^under-age/, 'holder-under-age'),
    );
    expect(reported(requestViolations({ ...REQUEST, ...change }, FACTS))).toEqual(named);
  });

  it.each(PERSON)('representative: %s', (_clause, change, expected) => {
    const other = {
      ...brazilian,
      identifier: { value: '11144477735', country: 'BRA' },
      powerOfAttorneyFileId: 'ev_POWER',
    };
    const swapped =
      change.identifier?.value === '529.982.247-25'
        ? { ...change, identifier: { value: '111.444.777-35', country: 'bra' } }
        : change;
    const named = expected.map((one) =>
      one
        .replace(/^mismatch/, 'representative-identifier-country-mismatch')
        .replace(/^under-age/, 'representative-under-age')
        .replace(' ', ' representative.'),
    );
    expect(reported(requestViolations({ ...REQUEST, representative: { ...other, ...swapped } }, FACTS))).toEqual(named);
  });
});

describe('the other rules', () => {
  const parent: ParentFacts = { active: true, mode: 'kyc', capabilities: ['subaccounts-90-tier'] };
  it.each([
    ['rules 1 and 2 hold', 'kyc', 90, parent, []],
    ['rule 1: a parent in reliance mode', 'kyc', 90, { ...parent, mode: 'reliance' }, ['reliance-mode-parent ']],
    ['the twin of rule 1: a parent in kyc mode', 'reliance', 90, parent, ['kyc-mode-parent ']],
    ['reliance in reliance mode', 'reliance', 90, { ...parent, mode: 'reliance' }, []],
    ['rule 2: another tier', 'kyc', 93.5, parent, ['missing-capability reward-tier']],
    ['rule 2: no tier at all', 'kyc', 97, { ...parent, capabilities: [] }, ['missing-capability reward-tier']],
    [
      'rules 1 and 2, in order',
      'kyc',
      97,
      { ...parent, mode: 'reliance' },
      ['reliance-mode-parent ', 'missing-capability reward-tier'],
    ],
    ['a sub-account cannot onboard others', 'kyc', 90, { ...parent, mode: null }, ['missing-capability reward-tier']],
    ['a frozen parent', 'kyc', 90, { ...parent, active: false }, ['account-not-active ']],
  ] as const)('%s', (_clause, mode, tier, facts, expected) => {
    expect(reported(permissionViolations(mode, tier, facts))).toEqual(expected);
  });

  const twice = [wallet(ONE), wallet(`0x${ONE.slice(2).toUpperCase()}`)];
  it.each<[string, Partial<ClearKycRequest>, Partial<RequestFacts>, string[]]>([
    ['telephone: 32 characters', { phone: '+'.padEnd(32, '1') }, {}, []],
    ['telephone: 33 characters', { phone: '+'.padEnd(33, '1') }, {}, ['invalid-phone phone']],
    ['telephone: letters', { phone: 'call me maybe' }, {}, ['invalid-phone phone']],
    [
      'rule 8: the representative is the holder',
      withRepresentative({
        ...brazilian,
        powerOfAttorneyFileId: 'ev_POWER',
        identifier: { value: '52998224725', country: 'bra' },
      }),
      {},
      ['representative-is-holder representative.identifier'],
    ],
    [
      'rule 8: the same number of another country is another person',
      withRepresentative({ identifier: { value: '52998224725', country: 'USA' }, taxResidence: 'USA' }),
      {},
      [],
    ],
    ['rule 9: judged on their own, not against the holder', withRepresentative({}), {}, []],
    [
      'rule 11: no such power of attorney',
      withRepresentative({ powerOfAttorneyFileId: 'ev_NONE' }),
      {},
      ['file-not-found representative.power-of-attorney-file-id'],
    ],
    ['rule 12: two addresses', { externalWallets: [wallet(ONE), wallet(TWO)] }, {}, []],
    [
      'rule 12: the same address in another case',
      { externalWallets: twice },
      {},
      ['duplicate-external-wallet external-wallets[1]'],
    ],
    [
      'rule 12: another account has it',
      { externalWallets: [wallet(TWO), wallet(ONE)] },
      { takenWallets: new Set([ONE]) },
      ['external-wallet-already-registered external-wallets[1]'],
    ],
    ['rule 12: no address', { externalWallets: [wallet('0x12')] }, {}, ['invalid-address external-wallets[0]']],
    [
      'rule 12: a broken checksum',
      { externalWallets: [wallet('0x52908400098527886e0f7030069857d2e4169eE7')] },
      {},
      ['bad-address-checksum external-wallets[0]'],
    ],
    [
      'rule 12: custody in no country',
      { externalWallets: [{ ...wallet(ONE), custodyCountry: 'XXX' }] },
      {},
      ['invalid-country external-wallets[0].custody-country'],
    ],
    [
      'rule 12: a proof that another key signed',
      { externalWallets: [{ ...wallet(ONE), proof: { message: 'm', signature: '0x' } }] },
      { disprovenWallets: new Set([ONE]) },
      ['invalid-wallet-proof external-wallets[0].proof'],
    ],
    [
      'all at once, in the order of the rules',
      {
        taxResidence: 'USA',
        dateOfBirth: '2020-01-01',
        address: { ...HOME, state: null },
        document: { ...RG, backFileId: 'ev_NONE' },
        pep: { ...NO_PEP, declared: true },
        representative: { ...REPRESENTATIVE, taxResidence: 'BRA' },
        externalWallets: twice,
      },
      {},
      [
        'identifier-country-mismatch identifier.country',
        'holder-under-age date-of-birth',
        'state-required address.state',
        'document-type-not-allowed document.type',
        'pep-details-required pep.full-name',
        'pep-details-required pep.role',
        'pep-details-required pep.relationship',
        'representative-identifier-country-mismatch representative.identifier.country',
        'file-not-found document.back-file-id',
        'duplicate-external-wallet external-wallets[1]',
      ],
    ],
  ])('%s', (_clause, change, facts, expected) => {
    expect(reported(requestViolations({ ...REQUEST, ...change }, { ...FACTS, ...facts }))).toEqual(expected);
  });

  it.each<[string, Partial<ClearKycRequest>, string[]]>([
    ['a CEP without its dash', { address: { ...HOME, postalCode: '01310100' } }, []],
    ['no CEP in BRA', { address: { ...HOME, postalCode: '1310-100' } }, ['invalid-format address.postal-code']],
    [
      '17 characters elsewhere',
      { address: { ...ABROAD, postalCode: 'x'.repeat(17) } },
      ['invalid-format address.postal-code'],
    ],
    [
      'the representative too',
      withRepresentative({ address: { ...HOME, postalCode: 'x' } }),
      ['invalid-format representative.address.postal-code'],
    ],
    ['an external id', { externalId: 'customer-17' }, []],
    ['an external id with a space', { externalId: 'a b' }, ['invalid-format external-id']],
    ['an external id that is the CPF', { externalId: 'cpf:529.982.247-25' }, ['invalid-format external-id']],
    ['an external id that is the name', { externalId: 'JOANA_LIMA' }, ['invalid-format external-id']],
    ['a name of one Latin letter in another word', { firstName: '李', lastName: 'O', externalId: 'customer-1' }, []],
    [
      'an external id that is a name of one Latin letter',
      { firstName: '李', lastName: 'O', externalId: 'o' },
      ['invalid-format external-id'],
    ],
    [
      'a name of four letters in an external id',
      { firstName: 'Yi', lastName: 'Wu', externalId: 'c-yi-wu-1' },
      ['invalid-format external-id'],
    ],
    [
      'an external id that is the e-mail address',
      { externalId: 'u:Joana@Example.com' },
      ['invalid-format external-id'],
    ],
    ['an external id that is the telephone number', { externalId: '+5511912345678' }, ['invalid-format external-id']],
    ["an external id that is the mother's name", { externalId: 'maria.lima' }, ['invalid-format external-id']],
    [
      "an external id that is the representative's name",
      { ...withRepresentative({}), externalId: 'ann-smith' },
      ['invalid-format external-id'],
    ],
    [
      "an external id that is the representative's number",
      { ...withRepresentative({}), externalId: 'rep-AB123456' },
      ['invalid-format external-id'],
    ],
    ['an external id with a short telephone number by chance', { phone: '12345', externalId: 'customer-123456' }, []],
  ])('form: %s', (_clause, change, expected) => {
    expect(reported(formViolations({ ...REQUEST, ...change }))).toEqual(expected);
  });

  it.each<[string, Partial<ClearRelianceRequest>, string[]]>([
    ['a CPF', {}, []],
    [
      'a national id',
      { identifier: { value: 'X12345', country: 'ARG' }, taxResidence: 'ARG', taxDocumentType: 'national-id' },
      [],
    ],
    [
      'a national id as people write it',
      { identifier: { value: '123-45-6789', country: 'USA' }, taxResidence: 'USA', taxDocumentType: 'national-id' },
      [],
    ],
    [
      'what is no national id',
      { identifier: { value: '1_2', country: 'USA' }, taxResidence: 'USA', taxDocumentType: 'national-id' },
      ['invalid-national-id identifier.value'],
    ],
    [
      'a passport as no one prints it',
      { identifier: { value: '123-45-6789', country: 'USA' }, taxResidence: 'USA', taxDocumentType: 'passport' },
      ['invalid-passport identifier.value'],
    ],
    [
      'an external id that is the national id',
      {
        identifier: { value: '12.345.678-5', country: 'CHL' },
        taxResidence: 'CHL',
        taxDocumentType: 'national-id',
        externalId: 'c-123456785',
      },
      ['invalid-format external-id'],
    ],
    [
      'a passport with the type cpf',
      { identifier: { value: 'X12345', country: 'ARG' }, taxResidence: 'ARG' },
      ['document-type-not-allowed tax-document-type'],
    ],
    ['a CPF with the type passport', { taxDocumentType: 'passport' }, ['document-type-not-allowed tax-document-type']],
    ['a wrong CPF', { identifier: { value: '1', country: 'BRA' } }, ['invalid-cpf identifier.value']],
    ['wallets', { externalWallets: twice }, ['duplicate-external-wallet external-wallets[1]']],
    ['an external id that is the CPF', { externalId: '52998224725' }, ['invalid-format external-id']],
  ])('reliance: %s', (_clause, change, expected) => {
    const request: ClearRelianceRequest = {
      identifier: brazilian.identifier,
      taxDocumentType: 'cpf',
      taxResidence: 'BRA',
      kycAttestationId: 'att-1',
      rewardTier: 90,
      externalWallets: [],
      externalId: null,
      ...change,
    };
    expect(reported([...relianceFormViolations(request), ...relianceViolations(request, FACTS)])).toEqual(expected);
  });
});

describe('properties', () => {
  const document = fc.constantFrom(RG, PASSPORT, { ...PASSPORT, type: 'cnh' as const });
  const pep = fc.constantFrom(NO_PEP, {
    declared: true,
    fullName: 'P E P',
    role: 'mayor',
    relationship: 'spouse' as const,
  });
  const home = fc
    .record({
      cpf: fc.constantFrom('52998224725', '111.444.777-35', '90000000175'),
      address: fc.constantFrom(HOME, ABROAD),
      document,
      pep,
      born: fc.date({ min: new Date('1930-01-01'), max: new Date('2008-11-20'), noInvalidDate: true }),
    })
    .map(({ cpf, address, document: shown, pep: exposed, born }) => ({
      ...brazilian,
      identifier: { value: cpf, country: 'BRA' },
      address,
      document: shown,
      pep: exposed,
      dateOfBirth: born.toISOString().slice(0, 10),
    }));
  const away = fc
    .record({ passport: fc.stringMatching(/^[A-Z0-9]{5,20}$/), address: fc.constantFrom(HOME, ABROAD), pep })
    .map(({ passport, address, pep: exposed }) => ({
      ...foreigner,
      identifier: { value: passport, country: 'ARG' },
      taxResidence: 'DEU',
      document: PASSPORT,
      address,
      pep: exposed,
    }));
  const person = fc.oneof(home, away);
  const valid = fc
    .record({
      holder: person,
      representative: fc.option(
        away.map((one) => ({
          ...one,
          identifier: { ...one.identifier, country: 'URY' },
          powerOfAttorneyFileId: 'ev_POWER',
        })),
      ),
      wallets: fc.constantFrom([], [wallet(ONE)], [wallet(ONE), wallet(TWO)]),
    })
    .map(({ holder, representative, wallets }): ClearKycRequest => ({
      ...REQUEST,
      ...holder,
      representative,
      externalWallets: wallets,
    }));

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
    ['invalid-address external-wallets[0]', () => ({ externalWallets: [wallet('0x12')] })],
    [
      'bad-address-checksum external-wallets[0]',
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
  const facts: RequestFacts = { ...FACTS, takenWallets: new Set([`0x${'d'.repeat(40)}`]) };

  it('a valid request has no violation, and one broken rule is exactly one violation, with its code and path', () => {
    fc.assert(
      fc.property(valid, fc.constantFrom(...breaks), (request, [expected, change]) => {
        expect(reported(requestViolations(request, facts))).toEqual([]);
        const changed = change(request);
        fc.pre(changed !== null);
        expect(reported(requestViolations({ ...request, ...changed }, facts))).toEqual([expected]);
      }),
      { numRuns: 1000 },
    );
  });

  it('rules 1 and 2: who may ask for this tier may, and one broken rule is exactly one fault', () => {
    const tiers = fc.constantFrom<RewardTier>(90, 93.5, 97);
    const others = fc.array(fc.constantFrom('manage-holders', 'international-travels', 'rate-lock-5m'));
    fc.assert(
      fc.property(valid, tiers, others, (request, tier, more) => {
        const able: ParentFacts = { active: true, mode: 'kyc', capabilities: [...more, tierCapability(tier)] };
        const judge = (parent: ParentFacts) =>
          reported([...permissionViolations('kyc', tier, parent), ...requestViolations(request, facts)]);
        expect(judge(able)).toEqual([]);
        expect(judge({ ...able, mode: 'reliance' })).toEqual(['reliance-mode-parent ']);
        expect(
          judge({
            ...able,
            capabilities: [...more, ...([90, 93.5, 97] as const).filter((one) => one !== tier).map(tierCapability)],
          }),
        ).toEqual(['missing-capability reward-tier']);
      }),
    );
  });

  it('rule 11 names every file that the request names, once, and no other', () => {
    fc.assert(
      fc.property(valid, (request) => {
        const none = requestViolations(request, { ...facts, knownFiles: new Set() });
        expect(none.map(({ path }) => path)).toEqual(namedFiles(request).map(({ path }) => path));
      }),
    );
  });
});
