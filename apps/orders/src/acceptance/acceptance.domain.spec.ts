import type { AccountRecord, PlaceOrderPayload, QuoteRecord, ResolvedPixKey, WalletRelation } from '@ponte/contracts';
import { ExternalIdReleased, ExternalIdReserved, pairOf } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal, Violation } from '@ponte/kernel';
import { ASSET_IDS } from '@ponte/kernel';
import type { Reserve } from '../order/external-id.decider';
import { externalId } from '../order/external-id.decider';
import { firstViolations, furtherViolations, termsOf } from './acceptance.domain';
import { brcodeExpiration } from './brcode-expiration.domain';
import { PIX_TARGET } from '../testing/fixtures';
import { rulesOf } from './pairs.domain';

const AT = '2026-03-02T12:00:00.000Z';
const KEY = 'sealed:v1:key:1';
const ADDRESS = '0x00000000000000000000000000000000000000aa';
const request: PlaceOrderPayload = {
  callerAccountId: 'child',
  accountId: 'child',
  quoteId: 'quote-1',
  sourceWalletAddress: null,
  targetWalletAddress: null,
  targetEndUserPixKey: null,
  sourcePaymentMethod: 'account-balance',
  externalId: null,
};
const account: AccountRecord = {
  accountId: 'child',
  parentId: 'partner',
  alias: 'child',
  status: 'active',
  externalId: null,
  onboardingMode: null,
  capabilities: [],
  taxIdFingerprint: 'f',
  createdAt: AT,
};
const partner: AccountRecord = { ...account, accountId: 'partner', parentId: null };
const rate = { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' };
const quote: QuoteRecord = {
  quoteId: 'quote-1',
  accountId: 'child',
  scope: 'account',
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '100.00',
  targetAmount: '100.000000000000000000',
  givenSide: 'source',
  createdAt: AT,
  expiresAt: '2026-03-02T12:15:00.000Z',
  offMarketPricing: false,
  vet: rate,
  pricing: {
    baseRate: rate,
    spread: { amount: '0.00', asset: 'fiat/brl', bps: 0 },
    fee: { amount: '0.00', asset: 'fiat/brl', kind: 'fixed' },
    iof: { amount: '0.00', asset: 'fiat/brl', applicable: false, basisRef: 'psav-res-521-2025' },
  },
  tradeReason: null,
  rateLock: null,
  state: 'open',
  orderId: null,
};
const internal: WalletRelation = { kind: 'internal', walletId: 'wallet-1', address: ADDRESS };
const external = (whitelisted: boolean, fxWhitelisted = false): WalletRelation => ({
  kind: 'external',
  address: ADDRESS,
  whitelisted,
  fxWhitelisted,
});
const first = (
  over: Partial<PlaceOrderPayload>,
  facts: Partial<{ at: string; quote: QuoteRecord | null; account: AccountRecord | null }> = {},
) =>
  firstViolations({ ...request, ...over }, { at: AT, quote, account, ...facts }).map(({ code, path }) => [code, path]);
const further = (
  over: Partial<PlaceOrderPayload>,
  facts: Partial<Parameters<typeof furtherViolations>[2]> = {},
  of: Partial<QuoteRecord> = {},
) =>
  furtherViolations(
    { ...request, ...over },
    { ...quote, ...of },
    { wallet: internal, sourceWallet: null, pixKey: null, quoteViolations: [], externalIdUsed: false, ...facts },
  ).map(({ code, path }) => [code, path]);

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

  it("the key's own account or any of its sub-accounts, when it was made by v0", () => {
    expect(first({ callerAccountId: 'partner' }, { quote: family })).toEqual([]);
    expect(first({ callerAccountId: 'partner', accountId: 'partner' }, { quote: family, account: partner })).toEqual(
      [],
    );
    expect(first({}, { quote: family })).toEqual(notFound);
  });

  it("a sub-account that made it by v0, for its own key and its parent's, and neither the parent's account nor a sister's", () => {
    const own: QuoteRecord = { ...family, accountId: account.accountId };
    const asParent = { callerAccountId: 'partner' };
    expect([first({}, { quote: own }), first(asParent, { quote: own })]).toEqual([[], []]);
    expect(first({ ...asParent, accountId: 'partner' }, { quote: own, account: partner })).toEqual(notFound);
    expect(
      first({ ...asParent, accountId: 'sister' }, { quote: own, account: { ...account, accountId: 'sister' } }),
    ).toEqual(notFound);
  });

  it('no one beyond reach, whatever the gateway let through', () => {
    expect(first({ callerAccountId: 'stranger' })).toEqual([['account-access-denied', '']]);
  });
});

describe('an acceptance is refused', () => {
  it('with every violation that is known, in rule order', () => {
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
    expect(first({}, { quote: null, account: null })).toEqual([
      ['quote-not-found', 'quote-id'],
      ['account-not-active', ''],
    ]);
  });

  it('without a source wallet for a token source; for BRL none is looked at', () => {
    const redeem = { quote: { ...quote, sourceAsset: 'eth-base/brlv' as const, targetAsset: 'fiat/brl' as const } };
    // Of a token that the specification does not list, the wallet is the account's own when it is absent.
    expect(first({}, { quote: { ...quote, sourceAsset: 'tempo/brlv', targetAsset: 'fiat/brl' } })).not.toContainEqual([
      'source-wallet-required',
      'source-wallet-address',
    ]);
    expect(first({}, redeem)).toContainEqual(['source-wallet-required', 'source-wallet-address']);
    expect(first({ sourceWalletAddress: '0xAA' }, redeem)).toContainEqual(['invalid-address', 'source-wallet-address']);
    expect(first({ sourceWalletAddress: ADDRESS }, redeem)).toEqual([]);
    expect(first({ sourceWalletAddress: 'what ever' })).toEqual([]);
  });

  it('for an address that breaks its checksum in other words than for what is no address', () => {
    const saying = (targetWalletAddress: string) =>
      firstViolations({ ...request, targetWalletAddress }, { at: AT, quote, account });
    expect(saying('0x7E5F4552091a69125d5dfcb7b8c2659029395bdf')).toEqual([
      {
        code: 'bad-address-checksum',
        path: 'target-wallet-address',
        message: 'the address breaks its EIP-55 checksum',
      },
    ]);
    expect(saying('0x1')).toEqual([
      { code: 'invalid-address', path: 'target-wallet-address', message: 'this is not the address of an EVM wallet' },
    ]);
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
    expect(further(named, { wallet: external(true) }, fx)).toEqual([
      ['wallet-not-fx-whitelisted', 'target-wallet-address'],
    ]);
    expect(further(named, { wallet: external(true, true) }, fx)).toEqual([]);
    expect(further(named, { wallet: internal }, fx)).toEqual([]);
  });

  it('for the wallet of another account when tokens are minted, because nothing would credit that account', () => {
    const named = { targetWalletAddress: ADDRESS };
    const others = { ...external(true, true), ofAnotherAccount: true } as WalletRelation;
    expect(further(named, { wallet: others })).toEqual([['wallet-not-allowed', 'target-wallet-address']]);
    expect(further(named, { wallet: others }, { targetAsset: 'eth-base/usdc' })).toEqual([]);
  });

  it('for what the quote lacks for this account, and a used external id', () => {
    const quoteViolations: Violation[] = [{ code: 'rate-lock-not-enabled', path: 'rate-lock', message: 'no' }];
    expect(further({ externalId: 'x' }, { quoteViolations, externalIdUsed: true })).toEqual([
      ['rate-lock-not-enabled', 'quote-id'],
      ['external-id-already-used', 'external-id'],
    ]);
  });
});

describe('the pairs', () => {
  const ordered = ASSET_IDS.flatMap((source) =>
    ASSET_IDS.flatMap((target) => {
      const pair = pairOf(source, target);
      return pair?.orderable ? [[source, target, pair.settlement] as const] : [];
    }),
  );

  // Contract: BRL to and from BRLV on each chain, wBRLY, USDC and USDT on each chain; no other pair.
  it('can be ordered in both directions, each with its settlement', () => {
    expect(
      ordered.filter(([source]) => source === 'fiat/brl').map(([, target, settlement]) => `${target} ${settlement}`),
    ).toEqual([
      'tempo/brlv mint',
      'eth-base/brlv mint',
      'eth-mainnet/brlv mint',
      'eth-base/usdt treasury-payment',
      'eth-mainnet/usdt treasury-payment',
      'eth-mainnet/usdc treasury-payment',
      'eth-base/wbrly vault-deposit',
      'eth-base/usdc treasury-payment',
    ]);
    expect(
      ordered.filter(([, target]) => target === 'fiat/brl').map(([source, , settlement]) => `${source} ${settlement}`),
    ).toEqual([
      'tempo/brlv burn',
      'eth-base/brlv burn',
      'eth-mainnet/brlv burn',
      'eth-base/usdt treasury-receipt',
      'eth-mainnet/usdt treasury-receipt',
      'eth-mainnet/usdc treasury-receipt',
      'eth-base/wbrly vault-redeem',
      'eth-base/usdc treasury-receipt',
    ]);
    expect(ordered).toHaveLength(16);
  });

  // "target-end-user-pix-key: allowed for USDC->BRL and BRLV->BRL only"
  it('pay to a Pix key from USDC and BRLV only', () => {
    expect(
      ordered
        .filter(([source, target]) => rulesOf(source, target).pixKey)
        .map(([source, target]) => `${source} ${target}`),
    ).toEqual([
      'tempo/brlv fiat/brl',
      'eth-base/brlv fiat/brl',
      'eth-mainnet/brlv fiat/brl',
      'eth-mainnet/usdc fiat/brl',
      'eth-base/usdc fiat/brl',
    ]);
    const redeem = { quote: { ...quote, sourceAsset: 'eth-base/usdt', targetAsset: 'fiat/brl' } as const };
    expect(first({ targetEndUserPixKey: KEY }, redeem)).toEqual([
      ['pix-key-not-allowed-for-pair', 'target-end-user-pix-key'],
    ]);
  });

  it('are paid by brcode for BRLV, USDC and USDT only', () => {
    const allowed = ordered
      .filter(([source, target]) => rulesOf(source, target).paymentMethods.includes('brcode'))
      .map(([, target]) => target);
    expect(allowed).toEqual([
      'tempo/brlv',
      'eth-base/brlv',
      'eth-mainnet/brlv',
      'eth-base/usdt',
      'eth-mainnet/usdt',
      'eth-mainnet/usdc',
      'eth-base/usdc',
    ]);
  });

  // Specification of orders: required only for eth-mainnet/brlv, eth-base/brlv and eth-base/wbrly.
  it('require a source wallet for the three assets of the specification', () => {
    const required = ordered
      .filter(([source, target]) => rulesOf(source, target).sourceWallet === 'required')
      .map(([source]) => source);
    expect(required).toEqual(['eth-base/brlv', 'eth-mainnet/brlv', 'eth-base/wbrly']);
  });
});

describe('an order that sells a token', () => {
  const sale = {
    sourceAsset: 'eth-base/usdc',
    targetAsset: 'fiat/brl',
    sourceAmount: '10.000000',
    targetAmount: '50.00',
  } as const;
  const named = { sourceWalletAddress: ADDRESS };

  it('is paid from a wallet of the account, its own one on the chain by default', () => {
    expect(further({}, { wallet: null, sourceWallet: internal }, sale)).toEqual([]);
    expect(further({}, { wallet: null, sourceWallet: null }, sale)).toEqual([
      ['source-wallet-required', 'source-wallet-address'],
    ]);
    expect(further(named, { wallet: null, sourceWallet: internal }, sale)).toEqual([]);
    expect(further(named, { wallet: null, sourceWallet: external(true, true) }, sale)).toEqual([
      ['wallet-not-allowed', 'source-wallet-address'],
    ]);
    expect(further(named, { wallet: null, sourceWallet: null }, sale)).toEqual([
      ['wallet-not-allowed', 'source-wallet-address'],
    ]);
  });

  it('pays out to a Pix key that the holder of the account owns', () => {
    expect(first({ targetEndUserPixKey: KEY }, { quote: { ...quote, ...sale } })).toEqual([]);
    const paidOut = (pixKey: ResolvedPixKey | null) =>
      further({ targetEndUserPixKey: KEY }, { wallet: null, sourceWallet: internal, pixKey }, sale);
    expect(paidOut({ ownedByHolder: true, target: PIX_TARGET })).toEqual([]);
    expect(paidOut({ ownedByHolder: false })).toEqual([['pix-key-tax-id-mismatch', 'target-end-user-pix-key']]);
    expect(paidOut(null)).toEqual([['pix-key-not-found', 'target-end-user-pix-key']]);
  });
});

describe('an FX order by brcode', () => {
  const fx = { quote: { ...quote, targetAsset: 'eth-base/usdc' as const } };
  const paying = { sourcePaymentMethod: 'brcode' as const };

  it('needs the capability to pay after the acceptance', () => {
    expect(first(paying, fx)).toEqual([['pay-after-acceptance-not-enabled', 'source-payment-method']]);
    expect(first(paying, { ...fx, account: { ...account, capabilities: ['pay-after-acceptance'] } })).toEqual([]);
  });

  const windows = { brcodeSeconds: 900, fxBrcodeSeconds: 300, minimumBrcodeSeconds: 60 };
  const until = (over: Partial<QuoteRecord>) => brcodeExpiration({ ...fx.quote, ...over }, AT, windows);

  // Contract: the earlier of the end of the rate lock and five minutes after the acceptance; refused below 60 s.
  it('can be paid for five minutes, or until its rate lock ends', () => {
    expect(until({ expiresAt: '2026-03-02T12:00:30.000Z' })).toBe('2026-03-02T12:05:00.000Z');
    expect(until({ rateLock: '1h', expiresAt: '2026-03-02T13:00:00.000Z' })).toBe('2026-03-02T12:05:00.000Z');
    expect(until({ rateLock: '5m', expiresAt: '2026-03-02T12:01:00.000Z' })).toBe('2026-03-02T12:01:00.000Z');
    expect(() => until({ rateLock: '5m', expiresAt: '2026-03-02T12:00:59.999Z' })).toThrow(
      expect.objectContaining({ code: 'brcode-window-too-short' }),
    );
    expect(brcodeExpiration(quote, AT, windows)).toBe('2026-03-02T12:15:00.000Z');
  });
});

it("the terms of an order are the quote's", () => {
  const funding = { kind: 'account-balance', holdId: 'hold-1' } as const;
  const accepted = {
    orderId: 'order-1',
    at: AT,
    quote,
    account,
    wallet: external(true),
    sourceWallet: null,
    pixDelivery: null,
    funding,
    createdBy: 'partner',
    createdByApiKey: 'ak_test_1',
  };
  expect(termsOf({ ...request, sourceWalletAddress: ADDRESS, externalId: 'x' }, accepted)).toEqual({
    orderId: 'order-1',
    quoteId: 'quote-1',
    accountId: 'child',
    parentId: 'partner',
    createdBy: 'partner',
    createdByApiKey: 'ak_test_1',
    externalId: 'x',
    createdAt: AT,
    sourceAsset: 'fiat/brl',
    targetAsset: 'eth-base/brlv',
    sourceAmount: '100.00',
    targetAmount: '100.000000000000000000',
    baseRate: '1.0000000000',
    effectiveRate: '1.0000000000',
    feeAmount: '0.00',
    feeAsset: 'fiat/brl',
    rateLock: null,
    charges: { spread: '0.00', fee: '0.00', tax: '0.00' },
    settlement: 'mint',
    pixDelivery: null,
    sourceWalletAddress: null,
    target: { address: ADDRESS, custody: false },
    funding,
  });
});

describe('an external id', () => {
  const until = '2026-03-02T12:15:00.000Z';
  const reserved = (orderId: string, fundingId: string) =>
    new ExternalIdReserved({ accountId: 'child', orderId, fundingId, until });
  const released = (orderId: string, fundingId: string) =>
    new ExternalIdReleased({ accountId: 'child', orderId, fundingId });
  const reserve = (orderId: string, fundingId: string, over: Partial<Reserve> = {}): Reserve => ({
    kind: 'reserve',
    accountId: 'child',
    orderId,
    fundingId,
    until,
    at: AT,
    unused: null,
    ...over,
  });
  const given = (
    ...past: Parameters<ReturnType<typeof scenario<never, never, ExternalIdReserved | ExternalIdReleased>>['given']>
  ) => scenario(externalId).given(...past);

  it("is one order's", () => {
    given().when(reserve('order-1', 'hold-1')).then(reserved('order-1', 'hold-1'));
    given(reserved('order-1', 'hold-1')).when(reserve('order-1', 'hold-1')).then();
    const refused = given(reserved('order-1', 'hold-1')).when(reserve('order-2', 'hold-2')).refusal() as Refusal;
    expect(refused.violations).toEqual([
      expect.objectContaining({ code: 'external-id-already-used', path: 'external-id' }),
    ]);
  });

  it('stays with the order while one of its acceptances has not failed', () => {
    const both = [reserved('order-1', 'hold-1'), reserved('order-1', 'hold-2')];
    given(reserved('order-1', 'hold-1')).when(reserve('order-1', 'hold-2')).then(reserved('order-1', 'hold-2'));
    given(...both)
      .when({ kind: 'release', accountId: 'child', orderId: 'order-1', fundingId: 'hold-2' })
      .then(released('order-1', 'hold-2'));
    expect(given(...both, released('order-1', 'hold-2')).state()).toMatchObject({
      status: 'reserved',
      claims: ['hold-1'],
    });
    given(...both, released('order-1', 'hold-2'))
      .when({ kind: 'release', accountId: 'child', orderId: 'order-1', fundingId: 'hold-2' })
      .then();
    expect(given(...both, released('order-1', 'hold-2'), released('order-1', 'hold-1')).state()).toEqual({
      status: 'free',
    });
  });

  it('is taken over from an order that was not placed with it, long after its quote ended', () => {
    const past = [reserved('order-1', 'hold-1'), reserved('order-1', 'hold-2')];
    const late = reserve('order-2', 'hold-3', { at: '2026-03-02T12:17:00.000Z', unused: 'order-1' });
    given(...past)
      .when(late)
      .then(released('order-1', 'hold-1'), released('order-1', 'hold-2'), reserved('order-2', 'hold-3'));
    for (const over of [{ at: '2026-03-02T12:16:59.999Z' }, { unused: null }]) {
      expect(
        (
          given(...past)
            .when({ ...late, ...over })
            .refusal() as Refusal
        ).code,
      ).toBe('external-id-already-used');
    }
  });
});
