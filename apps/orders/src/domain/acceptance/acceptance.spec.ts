import type { AccountRecord, PlaceOrderPayload, QuoteRecord, WalletRelation } from '@ponte/contracts';
import { ExternalIdReleased, ExternalIdReserved, ORDERABLE_PAIRS } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import { ASSET_IDS } from '@ponte/kernel';
import type { Reserve } from '../external-id/external-id';
import { externalId } from '../external-id/external-id';
import { firstFaults, furtherFaults, termsOf } from './acceptance';
import { rulesOf } from './pairs';

const AT = '2026-03-02T12:00:00.000Z';
const ADDRESS = '0x00000000000000000000000000000000000000aa';
const wish: PlaceOrderPayload = {
  callerAccountId: 'child', accountId: 'child', quoteId: 'quote-1', sourceWalletAddress: null, targetWalletAddress: null, targetEndUserPixKey: null,
  sourcePaymentMethod: 'account-balance', externalId: null,
};
const account: AccountRecord = {
  accountId: 'child', parentId: 'partner', alias: 'child', status: 'active', externalId: null, onboardingMode: null, capabilities: [], taxIdFingerprint: 'f', createdAt: AT,
};
const partner: AccountRecord = { ...account, accountId: 'partner', parentId: null };
const rate = { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' };
const quote: QuoteRecord = {
  quoteId: 'quote-1', accountId: 'child', scope: 'account', sourceAsset: 'fiat/brl', targetAsset: 'eth-base/brlv', sourceAmount: '100.00',
  targetAmount: '100.000000000000000000', givenSide: 'source', createdAt: AT, expiresAt: '2026-03-02T12:15:00.000Z', offMarketPricing: false, vet: rate,
  pricing: {
    baseRate: rate, spread: { amount: '0.00', asset: 'fiat/brl', bps: 0 }, fee: { amount: '0.00', asset: 'fiat/brl', kind: 'fixed' },
    iof: { amount: '0.00', asset: 'fiat/brl', applicable: false, basisRef: 'psav-res-521-2025' },
  },
  tradeReason: null, rateLock: null, state: 'open', orderId: null,
};
const internal: WalletRelation = { kind: 'internal', walletId: 'wallet-1', address: ADDRESS };
const external = (whitelisted: boolean, fxWhitelisted = false): WalletRelation => ({ kind: 'external', address: ADDRESS, whitelisted, fxWhitelisted });
const first = (over: Partial<PlaceOrderPayload>, facts: Partial<{ at: string; quote: QuoteRecord | null; account: AccountRecord | null }> = {}) =>
  firstFaults({ ...wish, ...over }, { at: AT, quote, account, ...facts }).map(({ code, path }) => [code, path]);
const further = (over: Partial<PlaceOrderPayload>, facts: Partial<Parameters<typeof furtherFaults>[2]> = {}, of: Partial<QuoteRecord> = {}) =>
  furtherFaults({ ...wish, ...over }, { ...quote, ...of }, { wallet: internal, quoteFaults: [], externalIdUsed: false, ...facts }).map(({ code, path }) => [code, path]);

describe('a quote serves', () => {
  const family: QuoteRecord = { ...quote, accountId: 'partner', scope: 'family' };
  const notFound = [['quote-not-found', 'quote-id']];

  it('the account it is bound to, when it was made by v1', () => {
    expect(first({})).toEqual([]);
    expect(first({ callerAccountId: 'partner' })).toEqual([]);
    expect(first({}, { quote: { ...quote, accountId: 'other' } })).toEqual(notFound);
    expect(first({ callerAccountId: 'partner' }, { quote: { ...quote, accountId: 'partner' } })).toEqual(notFound);
    expect(first({}, { quote: null })).toEqual(notFound);
  });

  it('the key\'s own account or any of its sub-accounts, when it was made by v0', () => {
    expect(first({ callerAccountId: 'partner' }, { quote: family })).toEqual([]);
    expect(first({ callerAccountId: 'partner', accountId: 'partner' }, { quote: family, account: partner })).toEqual([]);
    expect(first({}, { quote: family })).toEqual(notFound);
  });

  it('a sub-account that made it by v0, for its own key and its parent\'s, and neither the parent\'s account nor a sister\'s', () => {
    const own: QuoteRecord = { ...family, accountId: account.accountId };
    const asParent = { callerAccountId: 'partner' };
    expect([first({}, { quote: own }), first(asParent, { quote: own })]).toEqual([[], []]);
    expect(first({ ...asParent, accountId: 'partner' }, { quote: own, account: partner })).toEqual(notFound);
    expect(first({ ...asParent, accountId: 'sister' }, { quote: own, account: { ...account, accountId: 'sister' } })).toEqual(notFound);
  });

  it('nobody beyond reach, whatever the gateway let through', () => {
    expect(first({ callerAccountId: 'stranger' })).toEqual([['account-access-denied', '']]);
  });
});

describe('an acceptance is refused', () => {
  it('with every fault that is known, in rule order', () => {
    const late = { at: quote.expiresAt, quote: { ...quote, targetAsset: 'eth-base/wbrly' as const }, account: { ...account, status: 'frozen' as const } };
    expect(first({ sourcePaymentMethod: 'brcode', targetEndUserPixKey: 'a@b.co', targetWalletAddress: '0x1' }, late)).toEqual([
      ['account-not-active', ''], ['quote-expired', 'quote-id'], ['asset-pair-not-supported', 'quote-id'],
      ['payment-method-not-allowed-for-pair', 'source-payment-method'], ['pix-key-not-allowed-for-pair', 'target-end-user-pix-key'],
      ['invalid-address', 'target-wallet-address'],
    ]);
    expect(first({}, { quote: null, account: null })).toEqual([['quote-not-found', 'quote-id'], ['account-not-active', '']]);
  });

  it('without a source wallet for a token source; for BRL none is looked at', () => {
    const redeem = { quote: { ...quote, sourceAsset: 'eth-base/brlv' as const, targetAsset: 'fiat/brl' as const } };
    // Of a token that the specification does not list, the wallet is the account's own when it is absent.
    expect(first({}, { quote: { ...quote, sourceAsset: 'tempo/brlv', targetAsset: 'fiat/brl' } })).not.toContainEqual(['source-wallet-required', 'source-wallet-address']);
    expect(first({}, redeem)).toContainEqual(['source-wallet-required', 'source-wallet-address']);
    expect(first({ sourceWalletAddress: '0xAA' }, redeem)).toContainEqual(['invalid-address', 'source-wallet-address']);
    expect(first({ sourceWalletAddress: ADDRESS, targetEndUserPixKey: 'a@b.co' }, redeem).filter(([code]) => code !== 'asset-pair-not-supported')).toEqual([]);
    expect(first({ sourceWalletAddress: 'what ever' })).toEqual([]);
  });

  it('for an address that breaks its checksum in other words than for what is no address', () => {
    const saying = (targetWalletAddress: string) => firstFaults({ ...wish, targetWalletAddress }, { at: AT, quote, account });
    expect(saying('0x7E5F4552091a69125d5dfcb7b8c2659029395bdf')).toEqual([{ code: 'bad-address-checksum', path: 'target-wallet-address', message: 'the address breaks its EIP-55 checksum' }]);
    expect(saying('0x1')).toEqual([{ code: 'invalid-address', path: 'target-wallet-address', message: 'this is not the address of an EVM wallet' }]);
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
    // "for FX (BRL<->USDC) orders the target wallet must also be FX-whitelisted for the account"
    const fx = { targetAsset: 'eth-base/usdc' as const };
    expect(further(named, { wallet: external(true) }, fx)).toEqual([['wallet-not-fx-whitelisted', 'target-wallet-address']]);
    expect(further(named, { wallet: external(true, true) }, fx)).toEqual([]);
    expect(further(named, { wallet: internal }, fx)).toEqual([]);
  });

  it('for what the quote lacks for this account, and a used external id', () => {
    const quoteFaults = [{ code: 'rate-lock-not-enabled', path: 'rate-lock', message: 'no' }];
    expect(further({ externalId: 'x' }, { quoteFaults, externalIdUsed: true })).toEqual([['rate-lock-not-enabled', 'quote-id'], ['external-id-already-used', 'external-id']]);
  });
});

describe('the pairs', () => {
  it('that can be ordered are those of the shared table', () => {
    const executable = ASSET_IDS.flatMap((source) => ASSET_IDS.map((target) => [source, target] as const)).filter(([source, target]) => rulesOf(source, target).orderable);
    expect(executable.sort()).toEqual(ORDERABLE_PAIRS.map(({ source, target }) => [source, target]).sort());
  });

  // "target-end-user-pix-key: allowed for USDC->BRL and BRLV->BRL only"
  it('pay to a Pix key from USDC and BRLV alone', () => {
    expect(rulesOf('eth-base/usdc', 'fiat/brl').pixKey).toBe(true);
    expect(rulesOf('tempo/brlv', 'fiat/brl').pixKey).toBe(true);
    expect(rulesOf('eth-base/usdt', 'fiat/brl').pixKey).toBe(false);
    expect(rulesOf('fiat/brl', 'eth-base/brlv').pixKey).toBe(false);
  });

  it('are paid by brcode for BRLV and USDC alone', () => {
    expect(rulesOf('fiat/brl', 'tempo/brlv').paymentMethods).toContain('brcode');
    expect(rulesOf('fiat/brl', 'eth-base/usdc').paymentMethods).toContain('brcode');
    for (const [source, target] of [['fiat/brl', 'eth-base/usdt'], ['fiat/brl', 'eth-base/wbrly'], ['tempo/brlv', 'fiat/brl']] as const) {
      expect(rulesOf(source, target).paymentMethods).toEqual(['account-balance']);
    }
  });
});

it('the terms of an order are the quote\'s', () => {
  const funding = { kind: 'account-balance', holdId: 'hold-1' } as const;
  const accepted = { orderId: 'order-1', at: AT, quote, account, wallet: external(true), funding, createdBy: 'partner', createdByApiKey: 'ak_test_1' };
  expect(termsOf({ ...wish, sourceWalletAddress: ADDRESS, externalId: 'x' }, accepted)).toEqual({
    orderId: 'order-1', quoteId: 'quote-1', accountId: 'child', parentId: 'partner', createdBy: 'partner', createdByApiKey: 'ak_test_1', externalId: 'x', createdAt: AT,
    sourceAsset: 'fiat/brl', targetAsset: 'eth-base/brlv', sourceAmount: '100.00', targetAmount: '100.000000000000000000',
    baseRate: '1.0000000000', effectiveRate: '1.0000000000', feeAmount: '0.00', feeAsset: 'fiat/brl', rateLock: null,
    sourceWalletAddress: null, target: { address: ADDRESS, custody: false }, funding,
  });
});

describe('an external id', () => {
  const until = '2026-03-02T12:15:00.000Z';
  const reserved = (orderId: string, fundingId: string) => new ExternalIdReserved({ accountId: 'child', orderId, fundingId, until });
  const released = (orderId: string, fundingId: string) => new ExternalIdReleased({ accountId: 'child', orderId, fundingId });
  const reserve = (orderId: string, fundingId: string, over: Partial<Reserve> = {}): Reserve => ({ kind: 'reserve', accountId: 'child', orderId, fundingId, until, at: AT, unused: null, ...over });
  const given = (...past: Parameters<ReturnType<typeof scenario<never, never, ExternalIdReserved | ExternalIdReleased>>['given']>) => scenario(externalId).given(...past);

  it('is one order\'s', () => {
    given().when(reserve('order-1', 'hold-1')).then(reserved('order-1', 'hold-1'));
    given(reserved('order-1', 'hold-1')).when(reserve('order-1', 'hold-1')).then();
    const refused = given(reserved('order-1', 'hold-1')).when(reserve('order-2', 'hold-2')).refusal() as Refusal;
    expect(refused.faults).toEqual([expect.objectContaining({ code: 'external-id-already-used', path: 'external-id' })]);
  });

  it('stays with the order while one of its acceptances has not failed', () => {
    const both = [reserved('order-1', 'hold-1'), reserved('order-1', 'hold-2')];
    given(reserved('order-1', 'hold-1')).when(reserve('order-1', 'hold-2')).then(reserved('order-1', 'hold-2'));
    given(...both).when({ kind: 'release', accountId: 'child', orderId: 'order-1', fundingId: 'hold-2' }).then(released('order-1', 'hold-2'));
    expect(given(...both, released('order-1', 'hold-2')).state()).toMatchObject({ status: 'reserved', claims: ['hold-1'] });
    given(...both, released('order-1', 'hold-2')).when({ kind: 'release', accountId: 'child', orderId: 'order-1', fundingId: 'hold-2' }).then();
    expect(given(...both, released('order-1', 'hold-2'), released('order-1', 'hold-1')).state()).toEqual({ status: 'free' });
  });

  it('is taken over from an order that was not placed with it, long after its quote ended', () => {
    const past = [reserved('order-1', 'hold-1'), reserved('order-1', 'hold-2')];
    const late = reserve('order-2', 'hold-3', { at: '2026-03-02T12:17:00.000Z', unused: 'order-1' });
    given(...past).when(late).then(released('order-1', 'hold-1'), released('order-1', 'hold-2'), reserved('order-2', 'hold-3'));
    for (const over of [{ at: '2026-03-02T12:16:59.999Z' }, { unused: null }]) {
      expect((given(...past).when({ ...late, ...over }).refusal() as Refusal).code).toBe('external-id-already-used');
    }
  });
});
