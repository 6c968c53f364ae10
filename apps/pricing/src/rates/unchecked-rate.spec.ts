import type { MarketRule } from '../rules/rules.domain';
import type { RatesSettings } from './rate-sources';
import { isUnchecked, untimedFeeds } from './unchecked-rate';

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

const untimed = { url: 'https://rates.example', path: 'bid', timePath: null };
const timed = { ...untimed, timePath: 'at' };
const named = (minSources: number) => ({
  sources: {
    minSources,
    outlierBps: 100,
    sources: [
      { ...untimed, name: 'a' },
      { ...timed, name: 'b' },
    ],
  },
});

describe('The feeds whose age cannot be known', () => {
  it('are those without a time path', () => {
    expect(untimedFeeds(rates({ usdBrl: untimed, reference: timed, sharePrice: untimed }))).toEqual([
      'usd-brl',
      'share-price',
    ]);
    expect(untimedFeeds(rates({ usdBrl: timed, reference: untimed }))).toEqual(['reference']);
    expect(untimedFeeds(rates({ usdBrl: timed, reference: timed, sharePrice: timed }))).toEqual([]);
  });

  it('include a source of a list only if one source may set the rate', () => {
    expect(untimedFeeds(rates(named(1)))).toEqual(['usd-brl.a']);
    expect(untimedFeeds(rates(named(2)))).toEqual([]);
  });

  it('do not exist with generated rates', () => expect(untimedFeeds({ kind: 'seeded' } as RatesSettings)).toEqual([]));
});
