import { Rate } from '@ponte/kernel';
import { SeededRates } from './seeded.rates.adapter';

const usd = (text: string) => Rate.parse('USD', 'BRL', text);
const NOON = Date.UTC(2026, 4, 13, 14);

describe('the seeded generator', () => {
  const make = (seed: string) =>
    new SeededRates({ seed, base: usd('5.3412'), sharePrice: Rate.parse('wBRLY', 'BRL', '1.05') });
  const series = (rates: SeededRates) =>
    Array.from({ length: 500 }, (_, at) => rates.market(NOON + at * 1000).usdBrl?.rate.toString());

  it('returns the same rates for the same seed and time, and others for another seed', () => {
    expect(series(make('a'))).toEqual(series(make('a')));
    expect(series(make('a'))).not.toEqual(series(make('b')));
    const rates = make('a');
    const first = rates.market(NOON).usdBrl;
    rates.market(NOON + 86_400_000);
    expect(rates.market(NOON + 999).usdBrl).toEqual(first);
  });

  it('returns moving rates that are never stale and stay within 100 bps of the reference', () => {
    const rates = make('ponte');
    const base = usd('5.3412').scaled;
    const seen = new Set<string>();
    for (let at = 0; at < 100_000; at += 37) {
      const now = NOON + at * 1000 + 500;
      const { usdBrl, reference } = rates.market(now);
      if (!usdBrl) throw new Error('no rate');
      expect(now - usdBrl.observedAt).toBeLessThan(1000);
      expect(reference).toMatchObject({ rate: { scaled: base }, observedAt: Math.floor(now / 1000) * 1000 });
      expect((usdBrl.rate.scaled > base ? usdBrl.rate.scaled - base : base - usdBrl.rate.scaled) * 100n).toBeLessThan(
        base,
      );
      seen.add(usdBrl.rate.toString());
    }
    expect(seen.size).toBeGreaterThan(1000);
  });

  it('returns a share price that grows daily and never falls', () => {
    const rates = make('ponte');
    const price = (now: number) => rates.market(now).sharePrice?.rate.scaled ?? 0n;
    expect(price(Date.UTC(2025, 0, 1))).toBe(10_500_000_000n);
    expect(price(NOON)).toBeGreaterThan(10_500_000_000n);
    expect(price(NOON + 86_400_000)).toBeGreaterThan(price(NOON));
    expect(rates.market(NOON).sharePrice?.rate.base).toBe('wBRLY');
  });
});
