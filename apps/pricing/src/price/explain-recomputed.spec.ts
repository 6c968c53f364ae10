import { PAIRS } from '@ponte/contracts';
import Big from 'big.js';
import fc from 'fast-check';
import type { IssuedQuote } from '@ponte/contracts';
import { explain } from './explain.domain';
import { quoteOf } from './explained-quotes.testing';

const [DOWN, UP] = [0, 3] as const;
const Exact = Big();
Exact.DP = 80;
Exact.RM = DOWN;

/** The fields of an explained quote that a partner receives, and nothing else. */
type Explanation = Pick<IssuedQuote, 'inputs' | 'sourceAsset' | 'targetAsset' | 'givenSide'>;

/** Recomputes the amounts from the explanation alone, with big.js. */
function recompute({ inputs, sourceAsset, targetAsset, givenSide }: Explanation): { source: string; target: string } {
  const row = (table: string) => inputs.rules.find((one) => one.table === table)?.values ?? {};
  const number = (table: string, name: string) => new Exact(String(row(table)[name] ?? 0));
  const rateOf = (of: string) => new Exact(inputs.rates.find((rate) => rate.of === of)?.rate ?? '0');
  const buying = sourceAsset === 'fiat/brl';
  const token = buying ? targetAsset : sourceAsset;
  const given = new Exact(inputs.givenAmount);
  if (token.endsWith('brlv')) return both(buying, given.round(2, DOWN), given.round(2, DOWN), 18);
  if (token.endsWith('wbrly')) return shares(buying, givenSide, given, rateOf('share-price'));
  const R = rateOf('usd-brl').times(number('pegs', 'usd')).round(10, DOWN);
  const s = number('spreads', 'bps').plus(number('rate-locks', 'premium-bps')).div(10_000);
  const [i, f] = [number('iof', 'rate-ppm').div(1_000_000), number('fees', 'amount')];
  if (buying && givenSide === 'source') {
    const S = given.round(2, DOWN);
    const B = S.minus(f).minus(S.minus(f).times(i).div(i.plus(1)).round(2, UP));
    return both(
      true,
      S,
      B.minus(B.times(s).div(s.plus(1)).round(2, UP))
        .div(R)
        .round(6, DOWN),
      6,
    );
  }
  if (buying) {
    const T = given.round(6, DOWN);
    const spread = T.times(R).times(s).round(2, UP);
    return both(
      true,
      T.times(R).plus(spread).plus(T.times(R).plus(spread).times(i).round(2, UP)).plus(f).round(2, DOWN),
      T,
      6,
    );
  }
  if (givenSide === 'source') {
    const U = given.round(6, DOWN);
    const b = U.times(R).times(new Exact(1).minus(s)).round(2, DOWN);
    return both(false, b.minus(b.times(i).round(2, UP)).minus(f), U, 6);
  }
  const N = given.round(2, DOWN);
  const b = N.plus(f).div(new Exact(1).minus(i)).round(2, UP);
  return both(
    false,
    N,
    b
      .plus(b.times(s).div(new Exact(1).minus(s)).round(2, UP))
      .div(R)
      .round(6, DOWN),
    6,
  );
}

function shares(buying: boolean, givenSide: string, given: Big, price: Big): { source: string; target: string } {
  const givenBrl = (givenSide === 'source') === buying;
  const brl = givenBrl ? given.round(2, DOWN) : given.round(18, DOWN).times(price).round(2, DOWN);
  return both(buying, brl, !givenBrl && !buying ? given.round(18, DOWN) : brl.div(price).round(18, DOWN), 18);
}

const both = (buying: boolean, brl: Big, token: Big, scale: number) => {
  const [brlText, tokenText] = [brl.toFixed(2, DOWN), token.toFixed(scale, DOWN)];
  return buying ? { source: brlText, target: tokenText } : { source: tokenText, target: brlText };
};

describe('the explanation of a quote', () => {
  it('is enough to recompute the amounts, for every pair and given side', () => {
    const pair = fc.constantFrom(...PAIRS);
    const amount = fc
      .tuple(fc.integer({ min: 1, max: 40_000 }), fc.stringMatching(/^\d{1,18}$/))
      .map(([whole, part]) => `${whole}.${part}`);
    const lock = fc.constantFrom(null, '5m', '24h');
    let priced = 0;
    fc.assert(
      fc.property(
        pair,
        fc.constantFrom('source' as const, 'target' as const),
        amount,
        fc.bigInt(30_000_000_000n, 90_000_000_000n),
        lock,
        (one, side, given, rate, rateLock) => {
          const quote = quoteOf(one.source, one.target, side, given, rate, one.conversion === 'fx' ? rateLock : null);
          if (!quote) return true;
          priced += 1;
          // Use only what was stored.
          const { inputs, sourceAsset, targetAsset, givenSide } = JSON.parse(JSON.stringify(quote)) as IssuedQuote;
          const { source, target } = recompute({ inputs, sourceAsset, targetAsset, givenSide });
          const last = explain(quote).at(-1);
          return (
            source === quote.sourceAmount &&
            target === quote.targetAmount &&
            last?.name === 'VET' &&
            last.value === quote.vet.amount
          );
        },
      ),
      { numRuns: 2_000 },
    );
    expect(priced).toBeGreaterThan(1_500);
  });
});
