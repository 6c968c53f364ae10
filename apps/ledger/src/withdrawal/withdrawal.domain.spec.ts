import type { ClearWithdrawalTarget, WithdrawalMethod } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { examineWithdrawal } from './withdrawal.domain';

const NOTHING: ClearWithdrawalTarget = {
  pixKey: null,
  bankCode: null,
  branchNumber: null,
  accountNumber: null,
  accountHolderName: null,
  accountHolderTaxId: null,
  destinationWalletAddress: null,
};
const TED: ClearWithdrawalTarget = {
  ...NOTHING,
  bankCode: '756',
  branchNumber: '1',
  accountNumber: '1234567',
  accountHolderName: 'Ana Duarte',
  accountHolderTaxId: '529.982.247-25',
};
const WALLET = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';

const validated = (
  method: WithdrawalMethod | null,
  target: Partial<ClearWithdrawalTarget>,
  amount = '10.00',
  asset: AssetId = 'fiat/brl',
) => examineWithdrawal({ asset, method, amount, target: { ...NOTHING, ...target } });
const violations = (...given: Parameters<typeof validated>): string[] =>
  validated(...given).violations.map(({ code, path }) => `${code} ${path}`);

describe('A withdrawal by Pix', () => {
  it.each([
    ['cpf', '52998224725', '52998224725'],
    ['cnpj', '11222333000181', '11222333000181'],
    ['cnpj', '12abc34501de35', '12ABC34501DE35'],
    ['email', 'Ana@Example.com', 'ana@example.com'],
    ['phone', '+5511987654321', '+5511987654321'],
    ['evp', '123E4567-e89b-12d3-a456-426655440000', '123e4567-e89b-12d3-a456-426655440000'],
  ])('accepts a %s key (%s)', (kind, text, value) => {
    expect(validated('pix', { pixKey: text }).target).toEqual({ method: 'pix', pixKey: { kind, value } });
  });

  it.each(['', '52998224726', '12ABC34501DE36', '+551198765432', 'ana@', '123e4567'])('refuses %p', (pixKey) => {
    expect(violations('pix', { pixKey })).toEqual(['invalid-pix-key pix-key']);
  });
});

describe('A withdrawal to a Pix key with punctuation', () => {
  it.each(['529.982.247-25', '11.222.333/0001-81', '+55 11 98765-4321'])(
    'says how the key is written: %s',
    (pixKey) => {
      expect(validated('pix', { pixKey }).violations).toMatchObject([
        { code: 'invalid-pix-key', message: expect.stringContaining('without punctuation') as string },
      ]);
    },
  );
});

describe('A withdrawal by TED', () => {
  it('accepts COMPE or ISPB codes, and normalises the account', () => {
    expect(validated('ted', TED).target).toEqual({
      method: 'ted',
      account: {
        bankCode: '756',
        branchCode: '0001',
        accountNumber: '123456-7',
        legalName: 'Ana Duarte',
        taxId: '52998224725',
      },
    });
    expect(validated('ted', { ...TED, bankCode: '00000000', accountNumber: '6-x' }).target).toMatchObject({
      account: { bankCode: '00000000', accountNumber: '6-X' },
    });
    const longest = 'a'.repeat(80);
    for (const accountHolderName of ['A', ` ${longest} `])
      expect(validated('ted', { ...TED, bankCode: '1234abcd', accountHolderName }).target).toMatchObject({
        account: { bankCode: '1234ABCD', legalName: accountHolderName.trim() },
      });
  });

  it.each<[string, Partial<ClearWithdrawalTarget>, string]>([
    ['a bank that does not exist', { bankCode: '999' }, 'invalid-bank-account bank-code'],
    ['a malformed bank code', { bankCode: '12' }, 'invalid-bank-account bank-code'],
    ['an ISPB that is too long', { bankCode: '000000000' }, 'invalid-bank-account bank-code'],
    ['a branch with letters', { branchNumber: '12A' }, 'invalid-bank-account branch-number'],
    ['a branch that is too long', { branchNumber: '12345' }, 'invalid-bank-account branch-number'],
    ['an account without digits', { accountNumber: 'X' }, 'invalid-bank-account account-number'],
    ['an account that is too long', { accountNumber: '1'.repeat(21) }, 'invalid-bank-account account-number'],
    ['a name that is too long', { accountHolderName: 'a'.repeat(81) }, 'invalid-bank-account account-holder-name'],
    ['a name of spaces', { accountHolderName: '  ' }, 'invalid-bank-account account-holder-name'],
    ['a wrong tax id', { accountHolderTaxId: '52998224726' }, 'invalid-tax-id account-holder-tax-id'],
  ])('refuses %s', (_case, change, violation) => {
    expect(violations('ted', { ...TED, ...change })).toEqual([violation]);
    expect(validated('ted', { ...TED, ...change }).target).toBeUndefined();
  });

  it('needs all fields of an account', () => {
    expect(violations('ted', {})).toEqual([
      'invalid-bank-account bank-code',
      'invalid-bank-account branch-number',
      'invalid-bank-account account-number',
      'invalid-bank-account account-holder-name',
      'invalid-tax-id account-holder-tax-id',
    ]);
  });

  it('checks the check digit of an account if the bank publishes its rule', () => {
    const account = { ...TED, bankCode: '001', branchNumber: '1584' };
    expect(violations('ted', { ...account, accountNumber: '00210169-6' })).toEqual([]);
    expect(violations('ted', { ...account, accountNumber: '00210169-7' })).toEqual([
      'invalid-bank-account account-number',
    ]);
    // The digit of an account depends on its branch.
    expect(violations('ted', { ...account, branchNumber: '1584-9', accountNumber: '00210169-7' })).toEqual([
      'invalid-bank-account branch-number',
    ]);
  });
});

describe('The number of a bank account', () => {
  const violationsOf = (bankCode: string, branchNumber: string, accountNumber: string) =>
    violations('ted', { ...TED, bankCode, branchNumber, accountNumber });

  it.each([
    ['001', '00000000', '1584', '210169-6'],
    ['001', '00000000', '1584', '210105-X'],
    ['237', '60746948', '1425', '238069-2'],
    ['237', '60746948', '1425', '238003-p'],
    ['260', '18236120', '1', '1234567-9'],
    ['341', '60701190', '57', '72025-2'],
  ])('of bank %s, or %s, may be written with any number of leading zeros: %s %s', (compe, ispb, branch, account) => {
    const wrong = account.replace(/.$/, (check) => (/\d/.test(check) ? String((Number(check) + 1) % 10) : '0'));
    for (const bank of [compe, ispb])
      for (const zeros of ['', '00', '000', '0000', '000000000']) {
        expect(violationsOf(bank, branch, zeros + account)).toEqual([]);
        expect(violationsOf(bank, branch, zeros + wrong)).toEqual(['invalid-bank-account account-number']);
      }
  });

  it('may not have more digits than accounts of the bank have', () => {
    expect(validated('ted', { ...TED, bankCode: '341', accountNumber: '123456-7' }).violations).toMatchObject([
      { path: 'account-number', message: 'must have at most 5 digits before the check digit' },
    ]);
  });
});

describe('A withdrawal of tokens', () => {
  const tokens = (target: Partial<ClearWithdrawalTarget>, amount = '1.5', asset: AssetId = 'eth-base/usdc') =>
    violations('token', target, amount, asset);

  it('needs no method, and accepts an address with its checksum', () => {
    expect(validated(null, { destinationWalletAddress: WALLET }, '1.5', 'eth-base/usdc').target).toEqual({
      method: 'token',
      address: WALLET.toLowerCase(),
    });
  });

  it.each([
    ['0x12', 'invalid-address'],
    [`0x${'0'.repeat(40)}`, 'invalid-address'],
    [WALLET.replace('E', 'e'), 'bad-address-checksum'],
  ])('refuses %s', (destinationWalletAddress, code) => {
    expect(tokens({ destinationWalletAddress })).toEqual([`${code} destination-wallet-address`]);
  });

  it('needs an address', () => expect(tokens({})).toEqual(['invalid-address destination-wallet-address']));

  it('refuses decimals that the token does not have on its chain', () => {
    expect(tokens({ destinationWalletAddress: WALLET }, '1.0000001', 'tempo/brlv')).toEqual([
      'amount-scale-exceeded amount',
    ]);
  });
});

describe('Every withdrawal', () => {
  it('needs a method that fits its asset', () => {
    expect(violations('token', { destinationWalletAddress: WALLET })).toEqual(['method-asset-mismatch asset']);
    expect(violations('pix', { pixKey: '52998224725' }, '1', 'eth-base/usdc')).toEqual(['method-asset-mismatch asset']);
    expect(violations(null, { destinationWalletAddress: WALLET })).toEqual(['method-asset-mismatch method']);
    expect(violations('pix', { pixKey: '52998224725' }, '1', 'fiat/usd')).toEqual(['asset-not-supported asset']);
    // Nothing is reserved and no payee is looked up for an asset that cannot be withdrawn like this.
    for (const asset of ['fiat/usd', 'eth-base/usdc'] as const)
      expect(validated('pix', { pixKey: '52998224725' }, '1', asset)).toMatchObject({
        ...{ amount: undefined, target: undefined },
      });
  });

  it('is refused with all violations at once, none of which repeats the input', () => {
    const given = { ...TED, bankCode: '999', branchNumber: 'secret', accountHolderTaxId: 'secret' };
    expect(violations('ted', given, '10.001')).toEqual([
      'amount-scale-exceeded amount',
      'invalid-bank-account bank-code',
      'invalid-bank-account branch-number',
      'invalid-tax-id account-holder-tax-id',
    ]);
    expect(() => validated('ted', given, '10.001')).not.toThrow(/secret/);
  });
});
