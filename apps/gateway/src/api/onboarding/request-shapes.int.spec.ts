import 'reflect-metadata';
import { SAMPLE } from '../samples';
import { KYC_EXAMPLE, RELIANCE_EXAMPLE } from './onboarding.examples';
import type { Json } from './testing/onboarding-requests';
import {
  PERSON,
  address,
  kyc,
  KYC,
  RELIANCE,
  REQUEST,
  faultsOf,
  gateway,
  post,
  useTestGateway,
} from './testing/onboarding-requests';

useTestGateway();

const without = (body: Json, ...names: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

const REQUIRED = [
  'identifier tax-residence reward-tier first-name last-name email phone',
  'date-of-birth mother-full-name address document liveness pep financial-profile',
].flatMap((names) => names.split(' '));

describe('an account request of a wrong shape', () => {
  it.each<[string, string, unknown, string[]]>([
    ['no fields', KYC, {}, REQUIRED.map((name) => `${name} missing-field`)],
    ['only optional fields', KYC, { ...without(kyc, ...REQUIRED) }, REQUIRED.map((name) => `${name} missing-field`)],
    [
      'unknown fields at every depth',
      KYC,
      {
        ...kyc,
        status: 'active',
        identifier: { value: 'x', country: 'BRA', kind: 'cpf' },
        pep: { declared: false, x: 1 },
        'external-wallets': [{ address: '0x', name: 1 }],
      },
      [
        'identifier.kind unknown-field',
        'pep.x unknown-field',
        'external-wallets[0].name unknown-field',
        'status unknown-field',
      ],
    ],
    [
      'a tier as text and an invalid financial profile',
      KYC,
      {
        ...kyc,
        'reward-tier': '90',
        'financial-profile': {
          sector: 'x',
          currency: 'EUR',
          'monthly-income': -1,
          'net-worth': '1',
          'source-of-funds': [],
        },
      },
      [
        'reward-tier invalid-type',
        'financial-profile.sector invalid-enum-value',
        'financial-profile.currency invalid-enum-value',
        'financial-profile.monthly-income invalid-format',
        'financial-profile.net-worth invalid-type',
        'financial-profile.source-of-funds invalid-format',
      ],
    ],
    ['an unknown tier', KYC, { ...kyc, 'reward-tier': 91 }, ['reward-tier invalid-enum-value']],
    [
      'invalid dates',
      KYC,
      { ...kyc, 'date-of-birth': '1990-02-30', representative: { ...PERSON, 'date-of-birth': '1990-5-1' } },
      ['date-of-birth invalid-format', 'representative.date-of-birth invalid-format'],
    ],
    [
      'a name with invisible or reordering characters',
      KYC,
      { ...kyc, 'first-name': 'Ana \u202egnp.exe', 'last-name': 'Li\u2067ma' },
      ['first-name invalid-format', 'last-name invalid-format'],
    ],
    [
      'blank names and a name with a control character',
      KYC,
      { ...kyc, 'first-name': ' ', 'last-name': '', 'mother-full-name': 'a\u0000b' },
      ['first-name invalid-format', 'last-name invalid-format', 'mother-full-name invalid-format'],
    ],
    ['an invalid e-mail address', KYC, { ...kyc, email: 'joana@' }, ['email invalid-format']],
    [
      'invalid file ids',
      KYC,
      { ...kyc, document: { type: 'rne', 'front-file-id': 'ev_abc', 'back-file-id': '../x' } },
      [
        'document.type invalid-enum-value',
        'document.front-file-id invalid-format',
        'document.back-file-id invalid-format',
      ],
    ],
    [
      'an unknown provider',
      KYC,
      { ...kyc, liveness: { id: 's', provider: 'provider-6' } },
      ['liveness.provider invalid-enum-value'],
    ],
    [
      'a postal code that is wrong for its country, with other violations',
      KYC,
      {
        ...kyc,
        phone: 1,
        address: { ...address, 'postal-code': '1310' },
        representative: { ...PERSON, address: { ...address, 'postal-code': 'x' } },
      },
      ['phone invalid-type', 'address.postal-code invalid-format', 'representative.address.postal-code invalid-format'],
    ],
    [
      'an external id that identifies the person',
      KYC,
      { ...kyc, 'external-id': 'cust-52998224725' },
      ['external-id invalid-format'],
    ],
    [
      'an external id that is an e-mail address',
      KYC,
      { ...kyc, 'external-id': String(kyc['email']) },
      ['external-id invalid-format'],
    ],
    [
      'an external id with spaces',
      RELIANCE,
      { ...RELIANCE_EXAMPLE, 'external-id': 'a b' },
      ['external-id invalid-format'],
    ],
    [
      'an incomplete representative',
      KYC,
      { ...kyc, representative: without(PERSON, 'pep', 'power-of-attorney-file-id') },
      ['representative.pep missing-field', 'representative.power-of-attorney-file-id missing-field'],
    ],
    [
      'a declared PEP with an unknown value',
      KYC,
      { ...kyc, pep: { declared: true, relationship: 'friend' } },
      ['pep.relationship invalid-enum-value'],
    ],
    [
      'invalid wallets',
      KYC,
      { ...kyc, 'external-wallets': [[], null, { 'custody-type': 'bank' }, { address: 'a', proof: {} }] },
      [
        'external-wallets[0] invalid-type',
        'external-wallets[1] invalid-type',
        'external-wallets[2].address missing-field',
        'external-wallets[2].custody-type invalid-enum-value',
        'external-wallets[3].proof.message missing-field',
        'external-wallets[3].proof.signature missing-field',
      ],
    ],
    [
      'more than fifty wallets',
      KYC,
      { ...kyc, 'external-wallets': Array.from({ length: 51 }, () => SAMPLE.wallet) },
      ['external-wallets invalid-format'],
    ],
    ['wallets as an object', KYC, { ...kyc, 'external-wallets': {} }, ['external-wallets invalid-type']],
    [
      'wallets as a single address',
      RELIANCE,
      { ...RELIANCE_EXAMPLE, 'external-wallets': SAMPLE.wallet },
      ['external-wallets invalid-type'],
    ],
    [
      'fields of the other mode',
      RELIANCE,
      { ...RELIANCE_EXAMPLE, email: 'a@b.c', 'tax-document-type': 'rg' },
      ['tax-document-type invalid-enum-value', 'email unknown-field'],
    ],
    ['a list', KYC, [KYC_EXAMPLE], [' invalid-type']],
    ['no information', `${REQUEST}/information`, {}, [' missing-field']],
    [
      'wrong information',
      `${REQUEST}/information`,
      { address: { ...address, 'postal-code': '1' }, 'other-file-ids': ['x', SAMPLE.fileId], note: 7 },
      ['other-file-ids[0] invalid-format', 'note invalid-type', 'address.postal-code invalid-format'],
    ],
    ['a body for a cancellation', `${REQUEST}/cancel`, { why: 'x' }, ['why unknown-field']],
  ])('gets 400 with all violations and reaches no service: %s', async (_, url, body, faults) => {
    const before = gateway.bus.requests.length;
    const answer = await post(url, body);
    expect([answer.statusCode, faultsOf(answer)]).toEqual([400, faults]);
    expect(gateway.bus.requests.slice(before).filter(({ pattern }) => pattern.includes('command'))).toEqual([]);
  });
});
