import type { QuoteRecord, ResolvedPixKey } from '@ponte/contracts';
import { pairOf } from '@ponte/contracts';
import { ASSET_IDS } from '@ponte/kernel';
import { brcodeExpiration } from './brcode-expiration.domain';
import { PIX_TARGET } from '../testing/pix-target';
import { rulesOf } from './acceptance.domain';
import { AT, KEY, ADDRESS, account, quote, internal, external, first, further } from './acceptance.testing';

describe('orders of the supported pairs', () => {
  const ordered = ASSET_IDS.flatMap((source) =>
    ASSET_IDS.flatMap((target) => {
      const pair = pairOf(source, target);
      return pair?.orderable ? [[source, target, pair.settlement] as const] : [];
    }),
  );

  // Specification: BRL to and from BRLV on each chain, wBRLY, USDC and USDT on each chain; no other pair.
  it('can be placed in both directions, each with its settlement', () => {
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

  // Specification: "target-end-user-pix-key: allowed for USDC->BRL and BRLV->BRL only"
  it('can pay to a Pix key from USDC and BRLV only', () => {
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

  it('can be paid by brcode for BRLV, USDC and USDT only', () => {
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

  it("is paid from a wallet of the account, by default the account's own wallet on the chain", () => {
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

  // Specification: the earlier of the end of the rate lock and five minutes after the acceptance; refused below 60 s.
  it('can be paid for five minutes, or until its rate lock ends if that is earlier', () => {
    expect(until({ expiresAt: '2026-03-02T12:00:30.000Z' })).toBe('2026-03-02T12:05:00.000Z');
    expect(until({ rateLock: '1h', expiresAt: '2026-03-02T13:00:00.000Z' })).toBe('2026-03-02T12:05:00.000Z');
    expect(until({ rateLock: '5m', expiresAt: '2026-03-02T12:01:00.000Z' })).toBe('2026-03-02T12:01:00.000Z');
    expect(() => until({ rateLock: '5m', expiresAt: '2026-03-02T12:00:59.999Z' })).toThrow(
      expect.objectContaining({ code: 'brcode-window-too-short' }),
    );
    expect(brcodeExpiration(quote, AT, windows)).toBe('2026-03-02T12:15:00.000Z');
  });
});
