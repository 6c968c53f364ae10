import fc from 'fast-check';
import type { AssetId } from '@ponte/kernel';
import { Rate, Refusal } from '@ponte/kernel';
import type { IssuedQuote, RequestQuotePayload } from '@ponte/contracts';
import { PAIRS } from '@ponte/contracts';
import defaultRules from '../default-rules.json';
import type { Market } from '../market/market.domain';
import { priceQuote } from '../price/price-quote.domain';
import { readRules } from '../rules/read-rules.domain';
import { backtest } from './backtest.domain';
import { checkRules } from '../rules/check-rules.domain';

/** A Wednesday, 11:00 in São Paulo. */
const NOON = Date.UTC(2026, 4, 13, 14);
const LATER = Date.UTC(2026, 9, 1);
const current = readRules(defaultRules);
const market: Market = {
  usdBrl: { rate: Rate.parse('USD', 'BRL', '5.3412'), observedAt: NOON - 1000, source: 'median' },
  reference: { rate: Rate.parse('USD', 'BRL', '5.34'), observedAt: NOON },
  sharePrice: { rate: Rate.parse('wBRLY', 'BRL', '1.0712345678'), observedAt: NOON, source: 'vault' },
};
const account = { status: 'active' as const, capabilities: ['international-travels', 'rate-lock-1h'] };

const issued = (
  source: AssetId,
  target: AssetId,
  more: Partial<RequestQuotePayload> = {},
  known: Market = market,
): IssuedQuote =>
  priceQuote(
    {
      ...{ quoteId: `${source} ${target}`, accountId: 'a', scope: 'account', sourceAsset: source, targetAsset: target },
      ...{ sourceAmount: '1000.00', targetAmount: null, tradeReason: null, rateLock: null },
      ...more,
    },
    { rules: current, market: known, account, now: NOON, isOrderable: () => true },
  );
const fx = { tradeReason: 'transfer-between-same-entity-accounts' } as const;
const buying = () => issued('fiat/brl', 'eth-base/usdc', fx);
const proposed = (change: object) => readRules({ ...defaultRules, ...change });
const spreads = (bps: number) => defaultRules.spreads.map((row) => ({ ...row, bps }));

describe('a back-test', () => {
  it('finds no difference under the rules by which the quotes were issued, whatever was requested', () => {
    const requests = fc.record({
      pair: fc.constantFrom(...PAIRS),
      side: fc.constantFrom('sourceAmount' as const, 'targetAmount' as const),
      amount: fc.integer({ min: 1, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2)),
      rateLock: fc.constantFrom(null, '1h'),
    });
    fc.assert(
      fc.property(requests, ({ pair, side, amount, rateLock }) => {
        const isFx = pair.conversion === 'fx';
        const reason = isFx ? fx : {};
        const more = { sourceAmount: null, [side]: amount, ...reason, rateLock: isFx ? rateLock : null };
        try {
          const { quotes, changed, items, largest } = backtest([issued(pair.source, pair.target, more)], current, NOON);
          expect([quotes, changed, items[0]?.proposed, largest]).toEqual([1, 0, items[0]?.old, null]);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }),
    );
  });

  it('returns old and new amounts of each quote, totals of each pair, and the largest difference', () => {
    const quotes = [
      buying(),
      issued('eth-base/usdc', 'fiat/brl', { ...fx, sourceAmount: '100' }),
      issued('fiat/brl', 'eth-base/brlv'),
    ];
    const report = backtest(quotes, proposed({ spreads: spreads(160) }), NOON);
    expect(report).toMatchObject({ quotes: 3, changed: 2, refused: 0, at: '2026-05-13T14:00:00.000Z' });
    expect(report.items[0]).toMatchObject({
      ...{ changed: true, refusal: null, rulesVersion: current.version, difference: '-1.458474', differenceBps: -78 },
      old: {
        sourceAmount: '1000.00',
        targetAmount: '185.364712',
        spread: '7.93',
        fee: '2.00',
        iof: '0.00',
        validitySeconds: 60,
      },
      proposed: { sourceAmount: '1000.00', targetAmount: '183.906238', spread: '15.72' },
    });
    expect(report.items[1]).toMatchObject({
      difference: '-4.27',
      old: { targetAmount: '527.84' },
      proposed: { targetAmount: '523.57' },
    });
    expect(report.items[2]).toMatchObject({ changed: false, difference: '0.000000000000000000', differenceBps: 0 });
    expect(report.largest).toEqual({ quoteId: 'eth-base/usdc fiat/brl', difference: '-4.27', differenceBps: -80 });
    const [one] = report.pairs;
    expect(one?.old).toEqual({ source: '1000.00', target: '185.364712', spread: '7.93', fee: '2.00', iof: '0.00' });
    expect(one?.proposed).toMatchObject({ target: '183.906238', spread: '15.72' });
    expect(backtest([buying(), buying()], current, NOON).pairs).toMatchObject([
      { quotes: 2, old: { spread: '15.86', fee: '4.00' } },
    ]);
  });

  it('uses the rows that are in force at the given moment, at the rates and the time of each quote', () => {
    const tax = { ...defaultRules.iof[0], 'valid-from': '2026-09-01T00:00:00.000Z' };
    const rules = proposed({ iof: [tax, ...defaultRules.iof.slice(1)] });
    expect(backtest([buying()], rules, NOON).changed).toBe(0);
    const [item] = backtest([buying()], rules, LATER).items;
    expect(item?.proposed).toMatchObject({ targetAmount: '179.096457', spread: '7.66', iof: '33.75' });
  });

  it('returns the code with which the proposed rules refuse a quote, and leaves the quote out of the totals', () => {
    const limits = defaultRules.limits.map((row) => ({ ...row, maximum: '999.99' }));
    const locked = issued('fiat/brl', 'eth-base/usdc', { ...fx, rateLock: '1h' });
    const report = backtest([buying(), locked], proposed({ limits, 'rate-locks': [] }), NOON);
    expect(report).toMatchObject({
      changed: 2,
      refused: 2,
      largest: null,
      pairs: [{ refused: 2, old: { source: '0.00' } }],
    });
    expect(report.items.map(({ refusal, proposed: terms, difference }) => [refusal, terms, difference])).toEqual([
      ['amount-above-maximum', null, null],
      ['rate-lock-not-enabled', null, null],
    ]);
    expect(report.items.map(({ refusalMessage }) => refusalMessage)).toEqual([
      'source-amount: the amount is above the maximum of 999.99 BRL',
      expect.stringMatching(/^rate-lock: .+; source-amount: the amount is above the maximum of 999\.99 BRL$/),
    ]);
    const ended = proposed({ version: { id: 'ended', 'valid-from': null, 'valid-to': '2026-06-01T00:00:00.000Z' } });
    expect(backtest([buying()], ended, LATER).items[0]).toMatchObject({
      refusal: 'pricing-unavailable',
      refusalMessage: expect.stringContaining('is in force for this conversion') as string,
    });
    expect(backtest([buying()], current, NOON).items[0]?.refusalMessage).toBeNull();
  });
});

describe('a back-test of a bound on the distance from the reference', () => {
  const bounded = proposed({
    market: defaultRules.market.map((row) => ({ ...row, 'unusable-deviation-bps': 1_000 })),
  });
  const refusalOf = (known: Market) =>
    backtest([issued('fiat/brl', 'eth-base/usdc', fx, known)], bounded, NOON).items[0]?.refusal;

  it('refuses the quotes whose reference was unknown, and no quote without a source of a reference', () => {
    expect(refusalOf(market)).toBeNull();
    expect(refusalOf({ ...market, reference: null })).toBe('pricing-unavailable');
    expect(refusalOf({ ...market, reference: undefined })).toBeNull();
  });
});

describe('the check of proposed rules', () => {
  it('returns the version of valid rules, and refuses gaps in the future', () => {
    expect(checkRules(defaultRules, NOON).check).toEqual({
      ...{
        version: current.version,
        id: '2020-01',
        validFrom: '2020-01-01T00:00:00.000Z',
        validTo: null,
        violations: [],
      },
    });
    const fees = defaultRules.fees.map((row) => ({ ...row, 'valid-to': '2026-06-01T00:00:00.000Z' }));
    const { check, rules } = checkRules({ ...defaultRules, fees }, NOON);
    expect([rules, check.violations.map(({ path }) => path)]).toEqual([undefined, ['fees', 'fees']]);
    expect(checkRules('rules', NOON).check).toMatchObject({
      id: null,
      violations: [{ path: '', message: 'must be an object' }],
    });
  });
});
