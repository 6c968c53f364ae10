import { Rate } from '@ponte/kernel';
import defaultRules from '../default-rules.json';
import { marketAt } from '../rules/in-force.domain';
import { readRules } from '../rules/read-rules.domain';
import { isImplausible, isOffMarket, isSharePriceUnusable, isUnconfirmed, usable } from './conditions.domain';
import type { Observation } from './market.domain';

const NOON = Date.UTC(2026, 4, 13, 14);
const rule = { ...marketAt(readRules(defaultRules), NOON), unusableDeviationBps: 1_000 };
const at = (observedAt: number, value = '5.00'): Observation => ({ rate: Rate.parse('USD', 'BRL', value), observedAt });

describe('an observation from before the clock was set back', () => {
  it('is used only within its limit of age, before or after now', () => {
    for (const age of [-1_000, -999, 0, 999, 1_000]) expect(usable(at(NOON - age), 1_000, NOON)).toBeDefined();
    for (const age of [-1_001, 1_001]) expect(usable(at(NOON - age), 1_000, NOON)).toBeUndefined();
    expect(usable(undefined, 1_000, NOON)).toBeUndefined();
  });

  it('cannot confirm a rate as a reference, and neither can one that is too old', () => {
    const offMarket = (age: number) => isOffMarket({ usdBrl: at(NOON), reference: at(NOON - age) }, rule, NOON);
    const limit = rule.referenceStaleAfterMs;
    for (const age of [-limit, 0, limit]) expect(offMarket(age)).toBe(false);
    for (const age of [-limit - 1, limit + 1]) expect(offMarket(age)).toBe(true);
  });

  it('still confirms a rate as the official one of the Friday before Carnival, on all of Ash Wednesday', () => {
    const [friday, wednesday] = [Date.UTC(2026, 1, 13, 16, 5), Date.UTC(2026, 1, 18, 20)];
    const market = (input: unknown) => marketAt(readRules(input), friday);
    const { 'reference-stale-after-seconds': _, ...rest } = defaultRules.market[0] as (typeof defaultRules.market)[0];
    for (const rules of [defaultRules, { ...defaultRules, market: [rest] }])
      expect(isUnconfirmed({ reference: at(friday) }, market(rules), wednesday)).toBe(false);
  });

  it('cannot show that a rate is implausible', () => {
    const implausible = (age: number) =>
      isImplausible(at(NOON).rate, { reference: at(NOON - age, '9.00') }, rule, NOON);
    const limit = rule.referenceStaleAfterMs;
    expect([-limit - 1, -limit, 0, limit, limit + 1].map(implausible)).toEqual([false, true, true, true, false]);
  });
});

describe('a share price', () => {
  it('is reported as unusable only if one is known and too old', () => {
    const unusable = (age: number) => isSharePriceUnusable({ sharePrice: at(NOON - age) }, rule, NOON);
    const limit = rule.sharePriceUnusableAfterMs;
    expect([0, limit, limit + 1].map(unusable)).toEqual([false, false, true]);
    expect(isSharePriceUnusable({}, rule, NOON)).toBe(false);
  });
});

describe('an FX quote without a rate of the market', () => {
  it('is off-market', () => {
    expect(isOffMarket({}, rule, NOON)).toBe(true);
    expect(isOffMarket({ reference: at(NOON) }, rule, NOON)).toBe(true);
  });
});
