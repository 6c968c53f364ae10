import type { MarketRule } from '../rules/rules.domain';
import type { RatesSettings } from '../pricing.config';
import { isUnchecked } from './unchecked-rate';

const feed = { url: 'https://rates.example', path: 'bid' };
const rates = (more: object) => ({ kind: 'http', ...more }) as RatesSettings;
const rule = (unusableDeviationBps: number | null) => ({ unusableDeviationBps }) as MarketRule;
const sources = (count: number, minSources: number) => ({
  sources: { minSources, outlierBps: 100, sources: Array.from({ length: count }, () => feed) },
});

describe('A wrong rate of one source', () => {
  it.each([
    ['a single feed without a reference', { usdBrl: feed }, 1_000],
    ['a single feed with a reference and no bound', { usdBrl: feed, reference: feed }, null],
    ['several sources of which one is enough', sources(2, 1), null],
    ['a list of one source', sources(1, 1), null],
  ])('would be quoted with %s', (_, settings, bound) => {
    expect(isUnchecked(rates(settings), rule(bound))).toBe(true);
  });

  it.each([
    ['a reference and a bound', { usdBrl: feed, reference: feed }, 1_000],
    ['two sources that have to agree', sources(2, 2), null],
    ['one source of several, a reference and a bound', { ...sources(2, 1), reference: feed }, 1_000],
  ])('is not quoted with %s', (_, settings, bound) => {
    expect(isUnchecked(rates(settings), rule(bound))).toBe(false);
  });

  it('does not exist with generated rates', () => {
    expect(isUnchecked({ kind: 'seeded' } as RatesSettings, rule(null))).toBe(false);
  });
});
