import fc from 'fast-check';
import { Rate } from '@ponte/kernel';
import type { SourceState } from './combine-rates.domain';
import { combineRates } from './combine-rates.domain';
import { readRateSources } from './rate-sources';

const NOW = Date.UTC(2026, 4, 13, 14);
const usd = (text: string) => Rate.parse('USD', 'BRL', text);
const state = (
  source: string,
  rate: string,
  more: Partial<SourceState> & { readonly age?: number; readonly spreadBps?: number } = {},
): SourceState => {
  const { age = 1000, spreadBps, ...others } = more;
  return {
    source,
    weight: 1,
    staleAfterMs: 30_000,
    maxSpreadBps: 50,
    last: { rate: usd(rate), observedAt: NOW - age, spreadBps },
    ...others,
  };
};
const combine = (states: readonly SourceState[], outlierBps = 100, minSources = 1) => {
  const { rate, readings, observedAt } = combineRates(states, { outlierBps, minSources }, NOW);
  return {
    rate: rate?.toString(),
    observedAt,
    verdicts: Object.fromEntries(readings.map(({ source, verdict }) => [source, verdict])),
  };
};

describe('the rate of several sources', () => {
  it('is the median, or the mean of the middle two if each has half of the weight', () => {
    expect(combine([state('a', '5.30'), state('b', '5.32'), state('c', '5.31')]).rate).toBe('5.3100000000');
    expect(combine([state('a', '5.30'), state('b', '5.31')]).rate).toBe('5.3050000000');
  });

  it('counts each source by its weight', () => {
    expect(combine([state('a', '5.30', { weight: 3 }), state('b', '5.31'), state('c', '5.32')]).rate).toBe(
      '5.3000000000',
    );
  });

  it('leaves out an outlier, a stale source and one with a wide spread, and reports it', () => {
    expect(
      combine([
        state('a', '5.30'),
        state('b', '5.31'),
        state('c', '5.32'),
        state('far', '5.90'),
        state('old', '5.31', { age: 30_001 }),
        state('future', '5.31', { age: -30_001 }),
        state('wide', '5.31', { spreadBps: 51 }),
      ]),
    ).toMatchObject({
      rate: '5.3100000000',
      verdicts: { a: 'used', b: 'used', c: 'used', far: 'outlier', old: 'stale', future: 'stale', wide: 'wide' },
    });
  });

  it('keeps a source exactly at the bounds of age, spread and distance', () => {
    const kept = combine([state('a', '5.00'), state('b', '5.00'), state('c', '5.05', { age: 30_000, spreadBps: 50 })]);
    expect(kept.verdicts).toEqual({ a: 'used', b: 'used', c: 'used' });
    expect(combine([state('a', '5.00'), state('b', '5.00'), state('c', '5.0500000001')]).verdicts).toMatchObject({
      c: 'outlier',
    });
  });

  it('is unknown if too few sources remain, or if two of the same weight contradict each other', () => {
    expect(combine([state('a', '5.30'), state('b', '5.31', { last: undefined })], 100, 2).rate).toBeUndefined();
    expect(combine([state('a', '5.00'), state('b', '6.00')]).rate).toBeUndefined();
    expect(combine([]).rate).toBeUndefined();
  });

  it('is as old as the oldest source that was used', () => {
    expect(
      combine([
        state('a', '5.30', { age: 9000 }),
        state('b', '5.30', { age: 2000 }),
        state('far', '9', { age: 20_000 }),
      ]).observedAt,
    ).toBe(NOW - 9000);
  });

  it('stays between the honest sources while they have most of the weight', () => {
    const honest = fc.array(
      fc.record({ bps: fc.integer({ min: -50, max: 50 }), weight: fc.integer({ min: 2, max: 9 }) }),
      { minLength: 3, maxLength: 6 },
    );
    const liars = fc.array(fc.bigInt(1n, 10n ** 13n), { maxLength: 2 });
    fc.assert(
      fc.property(honest, liars, (good, bad) => {
        const rates = good.map(({ bps }) => 53_000_000_000n + 5_300_000n * BigInt(bps));
        const states = [
          ...good.map(({ weight }, at) => ({
            ...state(`good-${at}`, '1', { weight }),
            last: { rate: Rate.of('USD', 'BRL', rates[at] ?? 1n), observedAt: NOW },
          })),
          ...bad.map((scaled, at) => ({
            ...state(`bad-${at}`, '1'),
            last: { rate: Rate.of('USD', 'BRL', scaled), observedAt: NOW },
          })),
        ];
        const rate = combineRates(states, { outlierBps: 200, minSources: 1 }, NOW).rate?.scaled ?? 0n;
        const sorted = [...rates].sort((one, other) => (one < other ? -1 : 1));
        return rate >= (sorted[0] ?? 0n) && rate <= (sorted.at(-1) ?? 0n);
      }),
    );
  });
});

describe('the list of rate sources', () => {
  const source = {
    name: 'bank-a',
    url: 'https://rates.example/usd',
    path: 'bid',
    'ask-path': 'ask',
    weight: 2,
    'stale-after-seconds': 30,
    'max-spread-bps': 40,
  };
  const list = (more: object = {}, whole: object = {}) =>
    readRateSources({ 'outlier-bps': 100, 'min-sources': 1, sources: [{ ...source, ...more }], ...whole });

  it('is read with its weights and bounds', () => {
    expect(list()).toEqual({
      outlierBps: 100,
      minSources: 1,
      sources: [
        {
          name: 'bank-a',
          url: source.url,
          path: 'bid',
          askPath: 'ask',
          timePath: null,
          authorizationVariable: null,
          weight: 2,
          staleAfterMs: 30_000,
          maxSpreadBps: 40,
        },
      ],
    });
  });

  it.each<[string, object, object, string]>([
    ['no weight', { weight: 0 }, {}, 'sources[0].weight'],
    ['a spread of one rate', { 'ask-path': null }, {}, 'sources[0].max-spread-bps'],
    ['an unknown field', { wieght: 1 }, {}, 'sources[0].wieght'],
    ['a URL that is not HTTP', { url: 'file:///etc/passwd' }, {}, 'sources[0].url'],
    ['more sources required than listed', {}, { 'min-sources': 2 }, 'min-sources'],
    ['a repeated name', {}, { sources: [source, source] }, 'sources'],
    ['an empty list', {}, { sources: [] }, 'sources'],
  ])('is refused with %s', (_, more, whole, place) => {
    expect(() => list(more, whole)).toThrow(`${place} must be`);
  });
});
