import { requestViolations } from './request-rules.domain';
import {
  NO_PEP,
  HOME,
  ABROAD,
  RG,
  PASSPORT,
  brazilian,
  REQUEST,
  FILES_AND_WALLETS,
  reported,
} from '../testing/kyc-request';

/** [case, change, violations]. Each case is checked for the holder and, as rule 10 requires, the representative. */
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
    'rule 3: a CNPJ instead of a CPF',
    { identifier: { value: '11222333000181', country: 'BRA' } },
    ['invalid-cpf identifier.value'],
  ],
  [
    'rule 3: passport of the country',
    { identifier: { value: 'x1234', country: 'usa' }, taxResidence: 'USA', document: PASSPORT },
    [],
  ],
  [
    'rule 3: a passport of any other country, whatever the residence',
    { identifier: { value: 'X1234', country: 'USA' }, taxResidence: 'GBR', document: PASSPORT },
    [],
  ],
  [
    'rule 3: a passport number that is too short',
    { identifier: { value: 'X123', country: 'USA' }, taxResidence: 'USA', document: PASSPORT },
    ['invalid-passport identifier.value'],
  ],
  [
    'rule 3: a passport number with a dotless i',
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
  ['rule 5: an unknown federal unit', { address: { ...HOME, state: 'XX' } }, ['invalid-state address.state']],
  [
    'rule 5: the name of a federal unit instead of its code',
    { address: { ...HOME, state: 'São Paulo' } },
    ['invalid-state address.state'],
  ],
  ['rule 5: a federal unit in lower case', { address: { ...HOME, state: 'sp' } }, ['invalid-state address.state']],
  ['rule 5: no state elsewhere', { address: ABROAD }, []],
  ['rule 5: free text as the state elsewhere', { address: { ...ABROAD, state: 'Greater London' } }, []],
  [
    'rule 5: the country in lower case',
    { address: { ...HOME, country: 'bra', state: null } },
    ['state-required address.state'],
  ],
  ['rule 5: an unknown country', { address: { ...HOME, country: 'ZZZ' } }, ['invalid-country address.country']],
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
    'rule 7: declared with all members',
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
    'rule 7: declared without any other member',
    { pep: { ...NO_PEP, declared: true } },
    ['pep-details-required pep.full-name', 'pep-details-required pep.role', 'pep-details-required pep.relationship'],
  ],
  [
    'rule 7: not declared, so that other members are ignored',
    { pep: { declared: false, fullName: 'J', role: null, relationship: 'other' } },
    [],
  ],
  [
    'rule 11: an unknown front file',
    { document: { ...RG, frontFileId: 'ev_NONE' } },
    ['file-not-found document.front-file-id'],
  ],
  [
    'rule 11: an unknown back file',
    { document: { ...RG, backFileId: 'ev_NONE' } },
    ['file-not-found document.back-file-id'],
  ],
];

describe('Rules 3 to 11, for each person,', () => {
  it.each(PERSON)('check the holder (%s)', (_clause, change, expected) => {
    const named = expected.map((one) =>
      one.replace(/^mismatch/, 'identifier-country-mismatch').replace(/^under-age/, 'holder-under-age'),
    );
    expect(reported(requestViolations({ ...REQUEST, ...change }, FILES_AND_WALLETS))).toEqual(named);
  });

  it.each(PERSON)('check the representative (%s)', (_clause, change, expected) => {
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
    expect(
      reported(requestViolations({ ...REQUEST, representative: { ...other, ...swapped } }, FILES_AND_WALLETS)),
    ).toEqual(named);
  });
});
