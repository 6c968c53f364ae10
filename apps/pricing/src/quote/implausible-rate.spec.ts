import { PAIRS } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import defaultRules from '../default-rules.json';
import { isImplausible } from '../market/conditions.domain';
import type { Market } from '../market/market.domain';
import { BRL } from '../price/conversion.domain';
import { priceQuote } from '../price/price-quote.domain';
import { marketAt } from '../rules/in-force.domain';
import { readRules } from '../rules/read-rules.domain';
import { limitsOf } from './limits.domain';
import { asking, facts, fx, market, NOON, rate } from './quote-requests.testing';

const withBound = (bps: number | null) =>
  readRules({
    ...defaultRules,
    market: defaultRules.market.map((row) => ({ ...row, 'unusable-deviation-bps': bps })),
  });
const request = asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx });
const reference = (text: string, age = 0): Market => ({
  ...market,
  usdBrl: { rate: rate('USD', '5.0000000000'), observedAt: NOON },
  reference: { rate: rate('USD', text), observedAt: NOON - age },
});
const FX_PAIRS = PAIRS.filter(({ target }) => target === 'eth-base/usdc');
const quote = (known: Market, bps: number | null = 1_000) =>
  priceQuote(request, { ...facts, rules: withBound(bps), market: known });
const { referenceStaleAfterMs } = marketAt(withBound(null), NOON);

describe('a rate that is further from the reference than unusable-deviation-bps', () => {
  it.each(['4.5454545454', '5.5555555556'])('is not quoted: a reference of %s', (text) => {
    expect(() => quote(reference(text))).toThrow(Unavailable);
    expect(limitsOf(FX_PAIRS, reference(text), withBound(1_000), NOON)).toEqual([]);
  });

  it.each(['4.5454545455', '5.5555555555'])('is quoted off-market at the bound: a reference of %s', (text) =>
    expect(quote(reference(text)).offMarketPricing).toBe(true),
  );

  it('is quoted off-market without the rule', () => expect(quote(reference('50'), null).offMarketPricing).toBe(true));

  it('is implausible; without a bound or a rate, nothing is', () => {
    const reported = (known: Market, bps: number | null = 1_000) =>
      isImplausible(known.usdBrl?.rate, known, marketAt(withBound(bps), NOON), NOON);
    expect(reported(reference('4.5454545454'))).toBe(true);
    expect(reported(reference('4.5454545455'))).toBe(false);
    expect(reported(reference('4.5454545454'), null)).toBe(false);
    expect(reported({ reference: { rate: rate('USD', '4.5454545454'), observedAt: NOON } })).toBe(false);
  });

  it('is refused as a rule below deviation-bps', () => {
    expect(() => withBound(199)).toThrow('market[0].unusable-deviation-bps must be no less than deviation-bps');
    expect(() => withBound(0)).toThrow('market[0].unusable-deviation-bps must be');
  });
});

describe('a rate that cannot be compared with the reference', () => {
  const [unknown, right] = [{ ...market, reference: null }, '5.0000000000'];
  const aged = (age: number) => reference(right, age);

  it('is not quoted with unusable-deviation-bps, and has no limits', () => {
    for (const known of [unknown, aged(referenceStaleAfterMs + 1), aged(-referenceStaleAfterMs - 1)]) {
      expect(() => quote(known)).toThrow(Unavailable);
      expect(limitsOf(FX_PAIRS, known, withBound(1_000), NOON)).toEqual([]);
    }
    for (const age of [-referenceStaleAfterMs, 0, referenceStaleAfterMs])
      expect(quote(aged(age)).offMarketPricing).toBe(false);
  });

  it('is quoted off-market without unusable-deviation-bps', () => {
    expect(quote(unknown, null).offMarketPricing).toBe(true);
    expect(quote(aged(referenceStaleAfterMs + 1), null).offMarketPricing).toBe(true);
  });

  it('is quoted where no source of a reference is configured, because there is nothing to wait for', () => {
    for (const bps of [null, 1_000])
      expect(quote({ ...market, reference: undefined }, bps).offMarketPricing).toBe(false);
  });

  it('does not stop quotes of BRLV', () =>
    expect(
      priceQuote(asking(BRL, 'eth-base/brlv', { sourceAmount: '10' }), {
        ...facts,
        rules: withBound(1_000),
        market: unknown,
      }).offMarketPricing,
    ).toBe(false));
});
