import fc from 'fast-check';
import type { AssetId, Refusal } from '@ponte/kernel';
import { assetOf, formatDecimal } from '@ponte/kernel';
import type { Pair, RequestQuotePayload } from '@ponte/contracts';
import { PAIRS } from '@ponte/contracts';
import defaultRules from '../default-rules.json';
import type { Market } from '../market/market.domain';
import { readRules } from '../rules/read-rules.domain';
import { BRL } from '../price/conversion.domain';
import { limitsOf } from './limits.domain';
import { priceQuote } from '../price/price-quote.domain';
import { NOON, rules, rate, market, facts, asking, fx, refusal } from './quote-requests.testing';

describe('the limits of an account', () => {
  const markets = fc
    .record({ usd: fc.integer({ min: 10_000, max: 99_999_999 }), share: fc.integer({ min: 10_000, max: 99_999_999 }) })
    .map(({ usd, share }): Market => ({
      usdBrl: { rate: rate('USD', (usd / 100_000).toFixed(5)), observedAt: NOON },
      sharePrice: { rate: rate('wBRLY', (share / 100_000).toFixed(5)), observedAt: NOON },
    }));
  const taxed = readRules({
    ...defaultRules,
    iof: defaultRules.iof.map((row) => ({ ...row, 'valid-from': '2020-01-01T00:00:00.000Z' })),
  });
  const taxedByReason = readRules({
    ...defaultRules,
    iof: [
      {
        conversion: 'fx',
        direction: null,
        'trade-reason': fx.tradeReason,
        'rate-ppm': 35_000,
        applicable: true,
        'basis-ref': 'by-reason',
        'valid-from': '2020-01-01T00:00:00.000Z',
        'valid-to': null,
      },
      ...defaultRules.iof,
    ],
  });
  const bySide = (source: AssetId, target: AssetId, side: string, minimum: string, maximum: string) => ({
    conversion: assetOf(source === BRL ? target : source).symbol.startsWith('USD') ? 'fx' : 'same-currency',
    'source-asset': source,
    'target-asset': target,
    side,
    minimum,
    maximum,
    'ceiling-usd': null,
    'valid-from': '2020-01-01T00:00:00.000Z',
    'valid-to': null,
  });
  const bounded = readRules({
    ...defaultRules,
    limits: [
      bySide(BRL, 'eth-base/usdc', 'target', '7.654321', '4321.000007'),
      bySide(BRL, 'eth-base/usdc', 'source', '50.01', '40000.07'),
      bySide('eth-mainnet/usdt', BRL, 'source', '3.000001', '777.7'),
      bySide('eth-base/wbrly', BRL, 'target', '2.22', '99999.99'),
      bySide(BRL, 'tempo/brlv', 'target', '1.5', '20'),
      ...defaultRules.limits,
    ],
  });
  const one = (text: string): bigint => BigInt(text.replace('.', ''));

  it('match the quotes: each bound is quoted, and the next amount outside it is refused', () => {
    fc.assert(
      fc.property(
        markets,
        fc.constantFrom(...PAIRS),
        fc.constantFrom(rules, taxed, taxedByReason, bounded),
        (seen, pair, by) => {
          const limits = limitsOf([pair], seen, by, NOON);
          expect(limits.map(({ side }) => side)).toEqual(['source', 'target']);
          for (const { sourceAsset, targetAsset, side, asset, minimum, maximum } of limits) {
            expect(asset).toBe(side === 'source' ? pair.source : pair.target);
            const scale = assetOf(asset).scale;
            const refusalsOf = (minor: bigint) =>
              refusal(asking(sourceAsset, targetAsset, { [`${side}Amount`]: formatDecimal(minor, scale), ...fx }), {
                market: seen,
                rules: by,
              });
            const [least, most] = [one(minimum), one(maximum)];
            expect([refusalsOf(least - 1n), refusalsOf(least), refusalsOf(least + 1n)]).toEqual([
              [`amount-below-minimum ${side}-amount`],
              [],
              [],
            ]);
            expect([refusalsOf(most - 1n), refusalsOf(most), refusalsOf(most + 1n)]).toEqual([
              [],
              [],
              [`amount-above-maximum ${side}-amount`],
            ]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are named in the refusal of an amount outside them', () => {
    const violationMessage = (given: Partial<RequestQuotePayload>): string => {
      try {
        priceQuote(asking(BRL, 'eth-base/usdc', { ...given, ...fx }), { ...facts, rules: bounded });
        return 'none';
      } catch (error) {
        return (error as Refusal).violations[0]?.message ?? '';
      }
    };
    expect(violationMessage({ targetAmount: '7.654320' })).toBe(
      'the amount is below the minimum of 50.01 fiat/brl as the source-amount',
    );
    expect(violationMessage({ targetAmount: '5000' })).toBe(
      'the amount is above the maximum of 4321.000007 eth-base/usdc as the target-amount',
    );
    expect(violationMessage({ sourceAmount: '9.99' })).toBe('the amount is below the minimum of 10.00 BRL');
  });

  it('are the configured ones for BRL to BRLV', () => {
    const [source] = limitsOf([PAIRS[0] as Pair], market, rules, NOON);
    expect(source).toEqual({
      sourceAsset: 'fiat/brl',
      targetAsset: 'tempo/brlv',
      side: 'source',
      asset: 'fiat/brl',
      minimum: '1.00',
      maximum: '10000000.00',
    });
  });

  it('keep a single possible amount, and leave out a side without any', () => {
    const brlv = { source: BRL, target: 'tempo/brlv' } as Pair;
    const limitsWith = (...limits: object[]) => {
      const withLimits = readRules({ ...defaultRules, limits: [...limits, ...defaultRules.limits] });
      return limitsOf([brlv], market, withLimits, NOON);
    };
    const five = bySide(BRL, 'tempo/brlv', 'source', '5', '5');
    expect(limitsWith(five)).toMatchObject([
      { side: 'source', minimum: '5.00', maximum: '5.00' },
      { side: 'target', minimum: '5.000000000000000000', maximum: '5.009999999999999999' },
    ]);
    expect(limitsWith(five, bySide(BRL, 'tempo/brlv', 'target', '1', '4'))).toEqual([]);
  });

  it('leave out pairs that have no price', () => {
    expect(limitsOf([{ source: BRL, target: 'fiat/usd' } as Pair], market, rules, NOON)).toEqual([]);
  });

  it('leave out pairs without a known rate', () => {
    expect(
      new Set(
        limitsOf(PAIRS, {}, rules, NOON).map(({ sourceAsset, targetAsset }) =>
          sourceAsset === BRL ? targetAsset : sourceAsset,
        ),
      ),
    ).toEqual(new Set(['tempo/brlv', 'eth-base/brlv', 'eth-mainnet/brlv']));
  });
});
