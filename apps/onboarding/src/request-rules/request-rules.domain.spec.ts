import type { ClearKycRequest } from '@ponte/contracts';
import type { ParentPermissions, FilesAndWallets } from './rule-inputs.domain';
import { permissionViolations, requestViolations } from './request-rules.domain';
import {
  NO_PEP,
  HOME,
  RG,
  brazilian,
  REPRESENTATIVE,
  REQUEST,
  FILES_AND_WALLETS,
  wallet,
  ONE,
  TWO,
  reported,
  withRepresentative,
} from '../testing/kyc-request';

describe('The rules for a request', () => {
  const parent: ParentPermissions = { active: true, mode: 'kyc', capabilities: ['subaccounts-90-tier'] };
  it.each([
    ['a request that meets rules 1 and 2', 'kyc', 90, parent, []],
    ['rule 1: a parent in reliance mode', 'kyc', 90, { ...parent, mode: 'reliance' }, ['reliance-mode-parent ']],
    ['rule 1 for reliance requests: a parent in kyc mode', 'reliance', 90, parent, ['kyc-mode-parent ']],
    ['a reliance request of a parent in reliance mode', 'reliance', 90, { ...parent, mode: 'reliance' }, []],
    ['rule 2: a capability for another tier', 'kyc', 93.5, parent, ['missing-capability reward-tier']],
    [
      'rule 2: no capability for any tier',
      'kyc',
      97,
      { ...parent, capabilities: [] },
      ['missing-capability reward-tier'],
    ],
    [
      'rules 1 and 2, in order',
      'kyc',
      97,
      { ...parent, mode: 'reliance' },
      ['reliance-mode-parent ', 'missing-capability reward-tier'],
    ],
    [
      'a sub-account, which cannot onboard others',
      'kyc',
      90,
      { ...parent, mode: null },
      ['missing-capability reward-tier'],
    ],
    ['a frozen parent', 'kyc', 90, { ...parent, active: false }, ['account-not-active ']],
  ] as const)('check %s', (_clause, mode, tier, parent, expected) => {
    expect(reported(permissionViolations(mode, tier, parent))).toEqual(expected);
  });

  const twice = [wallet(ONE), wallet(`0x${ONE.slice(2).toUpperCase()}`)];
  it.each<[string, Partial<ClearKycRequest>, Partial<FilesAndWallets>, string[]]>([
    ['a telephone number of 32 characters', { phone: '+'.padEnd(32, '1') }, {}, []],
    ['a telephone number of 33 characters', { phone: '+'.padEnd(33, '1') }, {}, ['invalid-phone phone']],
    ['a telephone number with a slash and an extension', { phone: '+49 30/123456 ext. 7' }, {}, []],
    ['a telephone number of five digits', { phone: 'x1-2-3-4-5' }, {}, []],
    ['a telephone number of four digits', { phone: '(1234)' }, {}, ['invalid-phone phone']],
    ['a telephone number without digits', { phone: 'call me maybe' }, {}, ['invalid-phone phone']],
    ['a telephone number of spaces', { phone: '      ' }, {}, ['invalid-phone phone']],
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
      'rule 8: a representative with the same number of another country, who is another person',
      withRepresentative({ identifier: { value: '52998224725', country: 'USA' }, taxResidence: 'USA' }),
      {},
      [],
    ],
    ['rule 9: a representative, checked independently of the holder', withRepresentative({}), {}, []],
    [
      'rule 11: an unknown power of attorney',
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
      'rule 12: an address of another account',
      { externalWallets: [wallet(TWO), wallet(ONE)] },
      { takenWallets: new Set([ONE]) },
      ['external-wallet-already-registered external-wallets[1]'],
    ],
    [
      'rule 12: an address of the service',
      { externalWallets: [wallet(TWO), wallet(ONE.toUpperCase().replace('0X', '0x'))] },
      { houseWallets: new Map([[ONE, 'is ours']]) },
      ['invalid-address external-wallets[1].address'],
    ],
    [
      'rule 12: an invalid address',
      { externalWallets: [wallet('0x12')] },
      {},
      ['invalid-address external-wallets[0].address'],
    ],
    [
      'rule 12: a wrong checksum',
      { externalWallets: [wallet('0x52908400098527886e0f7030069857d2e4169eE7')] },
      {},
      ['bad-address-checksum external-wallets[0].address'],
    ],
    [
      'rule 12: an unknown custody country',
      { externalWallets: [{ ...wallet(ONE), custodyCountry: 'XXX' }] },
      {},
      ['invalid-country external-wallets[0].custody-country'],
    ],
    [
      'rule 12: a proof signed by another key',
      { externalWallets: [{ ...wallet(ONE), proof: { message: 'm', signature: '0x' } }] },
      { disprovenWallets: new Set([ONE]) },
      ['invalid-wallet-proof external-wallets[0].proof'],
    ],
    [
      'all rules at once, in the order of the rules',
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
  ])('check %s (rules 3 to 12)', (_clause, change, state, expected) => {
    expect(reported(requestViolations({ ...REQUEST, ...change }, { ...FILES_AND_WALLETS, ...state }))).toEqual(
      expected,
    );
  });

  it.each([
    [
      '0x0000000000000000000000000000000000000000',
      'must be an EVM address: 0x and 40 hexadecimal digits, not all zero',
    ],
    ['0x52908400098527886e0f7030069857d2e4169eE7', 'must be in lower case, in upper case or with its EIP-55 checksum'],
  ])('say what is wrong with the wallet %s', (address, message) => {
    expect(requestViolations({ ...REQUEST, externalWallets: [wallet(address)] }, FILES_AND_WALLETS)).toMatchObject([
      { path: 'external-wallets[0].address', message },
    ]);
  });
});
