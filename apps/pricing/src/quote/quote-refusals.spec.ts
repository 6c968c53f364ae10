import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { RequestQuotePayload } from '@ponte/contracts';
import { BRL } from '../price/conversion.domain';
import type { PricingFacts } from '../price/price-quote.domain';
import { priceQuote } from '../price/price-quote.domain';
import { NOON, rate, market, facts, asking, fx, refusal, withAccount } from './quote-requests.testing';

describe('refusals of a quote', () => {
  const usdc = (more: Partial<RequestQuotePayload>) =>
    asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx, ...more });

  it.each<[string, RequestQuotePayload, Partial<PricingFacts>, string[]]>([
    ['no amount', usdc({ sourceAmount: null }), {}, ['exactly-one-amount-required source-amount']],
    ['both amounts', usdc({ targetAmount: '1' }), {}, ['exactly-one-amount-required target-amount']],
    ['no decimal', usdc({ sourceAmount: '1e3' }), {}, ['invalid-format source-amount']],
    [
      'USDC for USDT',
      asking('eth-base/usdc', 'eth-base/usdt', { sourceAmount: '1' }),
      {},
      ['asset-pair-not-supported target-asset'],
    ],
    ['BRL for USD', asking(BRL, 'fiat/usd', { sourceAmount: '1' }), {}, ['asset-pair-not-supported target-asset']],
    [
      'BRL for BRLY',
      asking(BRL, 'eth-base/brly', { sourceAmount: '1' }),
      {},
      ['asset-pair-not-supported target-asset'],
    ],
    ['BRL for BRL', asking(BRL, BRL, { sourceAmount: '1' }), {}, ['asset-pair-not-supported target-asset']],
    [
      'a name from the prototype',
      asking(BRL, 'constructor' as AssetId, { sourceAmount: '1' }),
      {},
      ['asset-pair-not-supported target-asset'],
    ],
    ['FX without a trade reason', usdc({ tradeReason: null }), {}, ['trade-reason-required trade-reason']],
    ['an unknown reason', usdc({ tradeReason: 'toString' as never }), {}, ['invalid-enum-value trade-reason']],
    [
      'international-travels not enabled',
      usdc({ tradeReason: 'international-travels' }),
      withAccount('active'),
      ['trade-reason-not-enabled trade-reason'],
    ],
    [
      'a lock on same-currency',
      asking(BRL, 'eth-base/wbrly', { sourceAmount: '5', rateLock: '1h' }),
      {},
      ['rate-lock-not-applicable rate-lock'],
    ],
    [
      'a lock that is not enabled',
      usdc({ rateLock: '1h' }),
      withAccount('active', 'rate-lock-5m'),
      ['rate-lock-not-enabled rate-lock'],
    ],
    [
      'a lock that does not exist',
      usdc({ rateLock: '7d' }),
      withAccount('active', 'rate-lock-7d'),
      ['rate-lock-not-enabled rate-lock'],
    ],
    ['FX below BRL 10.00', usdc({ sourceAmount: '9.99' }), {}, ['amount-below-minimum source-amount']],
    [
      'an amount eaten by the fee',
      asking('eth-base/usdc', BRL, { sourceAmount: '0.3', ...fx }),
      {},
      ['amount-below-minimum source-amount'],
    ],
    ['zero', asking(BRL, 'eth-base/brlv', { targetAmount: '0.00' }), {}, ['amount-below-minimum target-amount']],
    [
      'same-currency below BRL 1.00',
      asking(BRL, 'eth-base/brlv', { sourceAmount: '0.999' }),
      {},
      ['amount-below-minimum source-amount'],
    ],
    [
      'more than BRL 10,000,000.00',
      asking(BRL, 'eth-base/brlv', { sourceAmount: '10000000.01' }),
      {},
      ['amount-above-maximum source-amount'],
    ],
    [
      'more than the equivalent of USD 50,000',
      usdc({ sourceAmount: null, targetAmount: '50000.000001' }),
      {},
      ['amount-above-maximum target-amount'],
    ],
    [
      'the same on a sale',
      asking('eth-base/usdt', BRL, { sourceAmount: '50000.000001', ...fx }),
      {},
      ['amount-above-maximum source-amount'],
    ],
    [
      'all violations at once, in the order of the rules',
      usdc({ sourceAmount: '5', tradeReason: null, rateLock: '1h' }),
      withAccount('active'),
      ['trade-reason-required trade-reason', 'rate-lock-not-enabled rate-lock', 'amount-below-minimum source-amount'],
    ],
    [
      'no amount and no reason',
      usdc({ sourceAmount: null, tradeReason: null }),
      {},
      ['exactly-one-amount-required source-amount', 'trade-reason-required trade-reason'],
    ],
    [
      'no amount and no pair',
      asking(BRL, BRL),
      {},
      ['exactly-one-amount-required source-amount', 'asset-pair-not-supported target-asset'],
    ],
    [
      'a frozen account, before everything else',
      usdc({ sourceAmount: null }),
      withAccount('frozen'),
      ['account-not-active'],
    ],
    [
      'a violation of the request before a missing rate',
      usdc({ tradeReason: null }),
      { market: {} },
      ['trade-reason-required trade-reason'],
    ],
  ])('%s', (_, request, changed, expected) => expect(refusal(request, changed)).toEqual(expected));

  it('do not include amounts exactly at the bounds', () => {
    expect(refusal(usdc({ sourceAmount: '10' }))).toEqual([]);
    expect(refusal(usdc({ sourceAmount: null, targetAmount: '50000' }))).toEqual([]);
    expect(refusal(asking(BRL, 'eth-base/brlv', { sourceAmount: '10000000' }))).toEqual([]);
  });

  it('are pricing-unavailable if the rate is too stale or missing, but not at par, which needs no rate', () => {
    const old = (age: number): Partial<PricingFacts> => ({
      market: { ...market, usdBrl: { rate: rate('USD', '5.3412'), observedAt: NOON - age } },
    });
    for (const age of [300_000, -300_000]) expect(refusal(usdc({}), old(age))).toEqual([]);
    // A rate from the future was read before the clock was set back, so it may be old.
    for (const changed of [old(300_001), old(-300_001), { market: {} }]) {
      expect(() => priceQuote(usdc({}), { ...facts, ...changed })).toThrow(Unavailable);
    }
    expect(() => priceQuote(asking(BRL, 'eth-base/wbrly', { sourceAmount: '5' }), { ...facts, market: {} })).toThrow(
      Unavailable,
    );
    expect(refusal(asking(BRL, 'eth-base/brlv', { sourceAmount: '5' }), { market: {} })).toEqual([]);
  });
});
