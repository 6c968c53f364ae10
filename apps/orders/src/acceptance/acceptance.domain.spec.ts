import type { AccountRecord, QuoteRecord, WalletRelation } from '@ponte/contracts';
import type { Violation } from '@ponte/kernel';
import { firstViolations } from './acceptance.domain';
import { AT, KEY, ADDRESS, request, account, quote, internal, external, first, further } from './acceptance.testing';

const partner: AccountRecord = { ...account, accountId: 'partner', parentId: null };

describe('a quote can be used', () => {
  const family: QuoteRecord = { ...quote, accountId: 'partner', scope: 'family' };
  const notFound = [['quote-not-found', 'quote-id']];

  it('for the account it is bound to, when it was made by v1', () => {
    expect(first({})).toEqual([]);
    expect(first({ callerAccountId: 'partner' })).toEqual([]);
    expect(first({}, { quote: { ...quote, accountId: 'other' } })).toEqual(notFound);
    expect(first({ callerAccountId: 'partner' }, { quote: { ...quote, accountId: 'partner' } })).toEqual(notFound);
    expect(first({}, { quote: null })).toEqual(notFound);
  });

  it("for the key's own account or any of its sub-accounts, when it was made by v0", () => {
    expect(first({ callerAccountId: 'partner' }, { quote: family })).toEqual([]);
    expect(first({ callerAccountId: 'partner', accountId: 'partner' }, { quote: family, account: partner })).toEqual(
      [],
    );
    expect(first({}, { quote: family })).toEqual(notFound);
  });

  it("for the sub-account that made it by v0, with its own or its parent's key, and not for another account", () => {
    const own: QuoteRecord = { ...family, accountId: account.accountId };
    const asParent = { callerAccountId: 'partner' };
    expect([first({}, { quote: own }), first(asParent, { quote: own })]).toEqual([[], []]);
    expect(first({ ...asParent, accountId: 'partner' }, { quote: own, account: partner })).toEqual(notFound);
    expect(
      first({ ...asParent, accountId: 'sister' }, { quote: own, account: { ...account, accountId: 'sister' } }),
    ).toEqual(notFound);
  });

  it('by no caller without access to the account, even if the gateway let the request through', () => {
    expect(first({ callerAccountId: 'stranger' })).toEqual([['account-access-denied', '']]);
  });
});

describe('an acceptance is refused', () => {
  it('with every known violation, in rule order', () => {
    const late = {
      at: quote.expiresAt,
      quote: { ...quote, targetAsset: 'eth-base/brly' as const },
      account: { ...account, status: 'frozen' as const },
    };
    expect(
      first({ sourcePaymentMethod: 'brcode', targetEndUserPixKey: KEY, targetWalletAddress: '0x1' }, late),
    ).toEqual([
      ['account-not-active', ''],
      ['quote-expired', 'quote-id'],
      ['asset-pair-not-supported', 'quote-id'],
      ['payment-method-not-allowed-for-pair', 'source-payment-method'],
      ['pix-key-not-allowed-for-pair', 'target-end-user-pix-key'],
      ['invalid-address', 'target-wallet-address'],
    ]);
    expect(first({}, { quote: null, account: { ...account, status: 'frozen' } })).toEqual([
      ['account-not-active', ''],
      ['quote-not-found', 'quote-id'],
    ]);
  });

  it('without a source wallet for a token source', () => {
    const redeem = { quote: { ...quote, sourceAsset: 'eth-base/brlv' as const, targetAsset: 'fiat/brl' as const } };
    // For a token without the specification's requirement, the account's own wallet is the default.
    expect(first({}, { quote: { ...quote, sourceAsset: 'tempo/brlv', targetAsset: 'fiat/brl' } })).not.toContainEqual([
      'source-wallet-required',
      'source-wallet-address',
    ]);
    expect(first({}, redeem)).toContainEqual(['source-wallet-required', 'source-wallet-address']);
    expect(first({ sourceWalletAddress: '0xAA' }, redeem)).toContainEqual(['invalid-address', 'source-wallet-address']);
    expect(first({ sourceWalletAddress: ADDRESS }, redeem)).toEqual([]);
  });

  it('for a wallet on the side of the BRL, which would have no effect', () => {
    expect(first({ sourceWalletAddress: ADDRESS })).toEqual([['wallet-not-allowed', 'source-wallet-address']]);
    const redeem = { quote: { ...quote, sourceAsset: 'tempo/brlv' as const, targetAsset: 'fiat/brl' as const } };
    expect(first({ targetWalletAddress: ADDRESS }, redeem)).toEqual([['wallet-not-allowed', 'target-wallet-address']]);
  });

  it('for a text that is not a Pix key, unless the pair accepts none', () => {
    const named = { targetEndUserPixKey: 'invalid' } as const;
    const redeem = { quote: { ...quote, sourceAsset: 'tempo/brlv' as const, targetAsset: 'fiat/brl' as const } };
    expect(first(named, redeem)).toEqual([['invalid-pix-key', 'target-end-user-pix-key']]);
    expect(first(named)).toEqual([['pix-key-not-allowed-for-pair', 'target-end-user-pix-key']]);
  });

  it('once for a source wallet or a Pix key that is already refused by its form', () => {
    const redeem = { sourceAsset: 'eth-base/brlv', targetAsset: 'fiat/brl' } as const;
    expect(further({}, {}, redeem)).toEqual([]);
    expect(further({ targetEndUserPixKey: 'invalid', sourceWalletAddress: '0x1' }, {}, redeem)).toEqual([]);
    expect(further({ targetEndUserPixKey: KEY })).toEqual([]);
  });

  it('for a brcode only if the pair is FX and the account may not pay after the acceptance', () => {
    const brcode = { sourcePaymentMethod: 'brcode' } as const;
    const able = { ...account, capabilities: ['pay-after-acceptance'] };
    const unable = { ...account, capabilities: [] };
    const fx = { ...quote, targetAsset: 'eth-base/usdc' as const };
    expect(first(brcode, { account: unable })).toEqual([]);
    expect(first(brcode, { account: able, quote: fx })).toEqual([]);
    expect(first(brcode, { account: unable, quote: fx })).toEqual([
      ['pay-after-acceptance-not-enabled', 'source-payment-method'],
    ]);
  });

  it('for violations that need no quote, when the quote does not exist', () => {
    const request = { targetEndUserPixKey: 'invalid', sourceWalletAddress: '0x1', targetWalletAddress: '0x2' } as const;
    expect(first(request, { quote: null })).toEqual([
      ['quote-not-found', 'quote-id'],
      ['invalid-pix-key', 'target-end-user-pix-key'],
      ['invalid-address', 'source-wallet-address'],
      ['invalid-address', 'target-wallet-address'],
    ]);
  });

  it('with different messages for an address with a wrong checksum and for a text that is not an address', () => {
    const saying = (targetWalletAddress: string) =>
      firstViolations({ ...request, targetWalletAddress }, { at: AT, quote, account });
    expect(saying('0x7E5F4552091a69125d5dfcb7b8c2659029395bdf')).toEqual([
      {
        code: 'bad-address-checksum',
        path: 'target-wallet-address',
        message: 'must be in lower case, in upper case or with its EIP-55 checksum',
      },
    ]);
    expect(saying('0x1')).toEqual([
      {
        code: 'invalid-address',
        path: 'target-wallet-address',
        message: 'must be an EVM address: 0x and 40 hexadecimal digits, not all zero',
      },
    ]);
  });

  it('for a source wallet that holds too few tokens, named or not', () => {
    const sale = { sourceAsset: 'eth-base/usdc', targetAsset: 'fiat/brl' } as const;
    const lacking = { wallet: null, sourceWallet: internal, sourceLacks: true };
    const found = [['insufficient-balance', 'source-wallet-address']];
    expect(further({ sourceWalletAddress: ADDRESS }, lacking, sale)).toEqual(found);
    expect(further({}, lacking, sale)).toEqual(found);
    expect(further({ sourceWalletAddress: ADDRESS }, { ...lacking, sourceLacks: false }, sale)).toEqual([]);
  });

  it('for a target wallet that is not allowed', () => {
    const named = { targetWalletAddress: ADDRESS };
    expect(further({})).toEqual([]);
    expect(further({}, { wallet: null })).toEqual([['target-wallet-required', 'target-wallet-address']]);
    expect(further(named)).toEqual([]);
    expect(further(named, { wallet: external(true) })).toEqual([]);
    expect(further(named, { wallet: external(false) })).toEqual([['wallet-not-allowed', 'target-wallet-address']]);
    expect(further(named, { wallet: null })).toEqual([['wallet-not-allowed', 'target-wallet-address']]);
    expect(further({ targetWalletAddress: '0x1' }, { wallet: null })).toEqual([]);
    // Specification: "for FX (BRL<->USDC) orders the target wallet must also be FX-whitelisted for the account"
    const fx = { targetAsset: 'eth-base/usdc' as const };
    expect(further(named, { wallet: external(true) }, fx)).toEqual([
      ['wallet-not-fx-whitelisted', 'target-wallet-address'],
    ]);
    expect(further(named, { wallet: external(true, true) }, fx)).toEqual([]);
    expect(further(named, { wallet: internal }, fx)).toEqual([]);
  });

  it("for another account's wallet when tokens are minted, because nothing would credit that account", () => {
    const named = { targetWalletAddress: ADDRESS };
    const others = { ...external(true, true), ofAnotherAccount: true } as WalletRelation;
    expect(further(named, { wallet: others })).toEqual([['wallet-not-allowed', 'target-wallet-address']]);
    expect(further(named, { wallet: others }, { targetAsset: 'eth-base/wbrly' })).toEqual([
      ['wallet-not-allowed', 'target-wallet-address'],
    ]);
    expect(further(named, { wallet: others }, { targetAsset: 'eth-base/usdc' })).toEqual([]);
  });

  it('for more tokens than one transaction may move, and once if that is also above the maximum of the pair', () => {
    const above = [['amount-above-maximum', 'quote-id']];
    expect(further({}, { aboveMaximum: true })).toEqual(above);
    const quoteViolations: Violation[] = [{ code: 'amount-above-maximum', path: 'quote-id', message: 'no' }];
    expect(further({}, { aboveMaximum: true, quoteViolations })).toEqual(above);
  });

  it('for violations of the quote on this account, and for a used external id', () => {
    const quoteViolations: Violation[] = [{ code: 'rate-lock-not-enabled', path: 'rate-lock', message: 'no' }];
    expect(further({ externalId: 'x' }, { quoteViolations, externalIdUsed: true })).toEqual([
      ['rate-lock-not-enabled', 'quote-id'],
      ['external-id-already-used', 'external-id'],
    ]);
  });
});
