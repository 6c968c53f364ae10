import type { Rate } from '@ponte/kernel';
import { parseDecimal } from '@ponte/kernel';
import defaultRules from '../default-rules.json';
import type { Market } from '../market/market.domain';
import { NOON, rate } from '../quote/quote-requests.testing';
import { marketAt } from '../rules/in-force.domain';
import { readRules } from '../rules/read-rules.domain';
import type { Conversion } from './conversion.domain';
import { BRL, conversionOf } from './conversion.domain';
import { baseRate, chargesOf, priceAmounts } from './price.domain';

const rules = readRules({
  ...defaultRules,
  market: defaultRules.market.map((row) => ({ ...row, 'unusable-deviation-bps': 1_000 })),
  pegs: defaultRules.pegs.map((row) => (row.token === 'USDT' ? { ...row, usd: '0.9990000000' } : row)),
});
const { unusableAfterMs, sharePriceUnusableAfterMs, referenceStaleAfterMs } = marketAt(rules, NOON);
const seen = (of: Rate, age = 0) => ({ rate: of, observedAt: NOON - age });
const pair = (token: Parameters<typeof conversionOf>[1], direction: Conversion['direction']): Conversion => {
  const found = direction === 'buy' ? conversionOf(BRL, token) : conversionOf(token, BRL);
  if (!found) throw new Error(`${token} has no price`);
  return found;
};
const rateOf = (conversion: Conversion, market: Market) => {
  const found = baseRate(conversion, market, rules, NOON);
  return found && `${found.toString()} ${found.quote} for one ${found.base}`;
};

describe('the base rate', () => {
  const usdBrl = seen(rate('USD', '5.3412000001'));

  it('of BRLV is one, whatever the market', () => {
    for (const direction of ['buy', 'sell'] as const)
      expect(rateOf(pair('tempo/brlv', direction), {})).toBe('1.0000000000 BRL for one BRLV');
  });

  it('of a dollar token is that of the dollar times its peg, rounded down', () => {
    for (const direction of ['buy', 'sell'] as const) {
      expect(rateOf(pair('eth-base/usdc', direction), { usdBrl })).toBe('5.3412000001 BRL for one USDC');
      expect(rateOf(pair('eth-base/usdt', direction), { usdBrl })).toBe('5.3358588000 BRL for one USDT');
    }
  });

  it('of a dollar token is not known without a current and plausible rate of the dollar', () => {
    const usdc = pair('eth-base/usdc', 'buy');
    const known = (market: Market) => rateOf(usdc, market) !== undefined;
    expect(known({})).toBe(false);
    expect(known({ usdBrl: seen(usdBrl.rate, unusableAfterMs) })).toBe(true);
    expect(known({ usdBrl: seen(usdBrl.rate, unusableAfterMs + 1) })).toBe(false);
    expect(known({ usdBrl, reference: seen(rate('USD', '5.0000000000')) })).toBe(true);
    expect(known({ usdBrl, reference: seen(rate('USD', '4.0000000000')) })).toBe(false);
    expect(known({ usdBrl, reference: null })).toBe(false);
    expect(known({ usdBrl, reference: seen(usdBrl.rate, referenceStaleAfterMs) })).toBe(true);
    expect(known({ usdBrl, reference: seen(usdBrl.rate, referenceStaleAfterMs + 1) })).toBe(false);
  });

  it('of a share is what creating one costs when it is bought, and what redeeming one yields when it is sold', () => {
    const [buying, selling] = [pair('eth-base/wbrly', 'buy'), pair('eth-base/wbrly', 'sell')];
    const sharePrice = seen(rate('wBRLY', '1.0700000000'));
    const shareCost = seen(rate('wBRLY', '1.0800000000'));
    expect(rateOf(buying, { sharePrice, shareCost })).toBe('1.0800000000 BRL for one wBRLY');
    expect(rateOf(selling, { sharePrice, shareCost })).toBe('1.0700000000 BRL for one wBRLY');
    expect(rateOf(buying, { sharePrice })).toBe('1.0700000000 BRL for one wBRLY');
    expect(rateOf(selling, { shareCost })).toBeUndefined();
    const [old, older] = [0, 1].map((more) => seen(shareCost.rate, sharePriceUnusableAfterMs + more));
    expect(rateOf(buying, { sharePrice, shareCost: old })).toBe('1.0800000000 BRL for one wBRLY');
    expect(rateOf(buying, { sharePrice, shareCost: older })).toBeUndefined();
  });
});

describe('the amounts of BRL and BRLV', () => {
  const PAR = baseRate(pair('tempo/brlv', 'buy'), {}, rules, NOON) as Rate;
  const priced = (direction: Conversion['direction'], side: 'source' | 'target', text: string) => {
    const conversion = pair('tempo/brlv', direction);
    const charges = chargesOf(conversion, null, undefined, rules, NOON);
    const decimal = parseDecimal(text);
    const found = decimal && priceAmounts(conversion, { side, decimal }, PAR, charges);
    return found && [found.source, found.target, found.spread + found.fee + found.iof];
  };
  const tokens = 1250n * 10n ** 16n;

  it.each([
    ['buy', 'source', '12.509', [1250n, tokens, 0n]],
    ['buy', 'target', '12.509', [1250n, tokens, 0n]],
    ['sell', 'source', '12.509', [tokens, 1250n, 0n]],
    ['sell', 'target', '12.509', [tokens, 1250n, 0n]],
    ['buy', 'target', '0.009', undefined],
    ['sell', 'source', '0.009', undefined],
  ] as const)('are the same whole centavos on both sides, without charges: %s, %s %s', (...given) => {
    const [direction, side, text, amounts] = given;
    expect(priced(direction, side, text)).toEqual(amounts);
  });
});
