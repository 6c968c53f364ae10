import { PAIRS } from '@ponte/contracts';
import type { Market } from '../market/market.domain';
import { limitsOf } from './limits.domain';
import { NOON, rate, rules } from './quote-requests.testing';
import { RecentLimits } from './recent-limits';

const marketOf = (usd: string, share: string | null, observedAt = NOON): Market => ({
  usdBrl: { rate: rate('USD', usd), observedAt },
  ...(share !== null && { sharePrice: { rate: rate('wBRLY', share), observedAt } }),
});

describe('The recent limits', () => {
  it('are computed once a second while the rates are the same', () => {
    const recent = new RecentLimits(rules);
    const first = recent.at(PAIRS, marketOf('5.4', '1.1'), NOON);
    expect(first).toEqual(limitsOf(PAIRS, marketOf('5.4', '1.1'), rules, NOON));
    expect(recent.at(PAIRS, marketOf('5.4', '1.1'), NOON + 999)).toBe(first);
    expect(recent.at(PAIRS, marketOf('5.4', '1.1'), NOON + 1_000)).not.toBe(first);
  });

  it('are those of the given pairs at once', () => {
    const recent = new RecentLimits(rules);
    recent.at(PAIRS, marketOf('5.4', '1.1'), NOON);
    const fewer = PAIRS.slice(1);
    expect(recent.at(fewer, marketOf('5.4', '1.1'), NOON)).toEqual(
      limitsOf(fewer, marketOf('5.4', '1.1'), rules, NOON),
    );
  });

  it.each<[string, Market]>([
    ['the rate changes', marketOf('5.5', '1.1')],
    ['the price of a share changes', marketOf('5.4', '1.2')],
    ['the price of a share is not known any more', marketOf('5.4', null)],
    ['the rate is another reading, which is too old', marketOf('5.4', '1.1', NOON - 3_600_000)],
    ['there is a reference', { ...marketOf('5.4', '1.1'), reference: { rate: rate('USD', '2'), observedAt: NOON } }],
  ])('are those of the market at once if %s', (_, market) => {
    const recent = new RecentLimits(rules);
    recent.at(PAIRS, marketOf('5.4', '1.1'), NOON);
    expect(recent.at(PAIRS, market, NOON + 1)).toEqual(limitsOf(PAIRS, market, rules, NOON + 1));
  });
});
