import { Big } from 'big.js';
import * as fc from 'fast-check';
import type { FxTerms, Priced } from './conversion.domain';
import { Exact, oracleQuote } from './domain-oracle.testing';

export const UNIT = 10n ** 14n;

interface Plain {
  readonly source: bigint;
  readonly target: bigint;
  readonly spread: bigint;
  readonly iof: bigint;
}

/* The first oracle: the formulas as written, on exact fractions. */
const minor = (exact: Exact, scale: number) => (exact.n * 10n ** BigInt(scale)) / exact.d;
const decimal = (units: bigint, scale: number) => Exact.whole(units, 10n ** BigInt(scale)).text(scale);

function exactly(buying: boolean, given: 'source' | 'target') {
  const [sourceScale, targetScale] = buying ? [2, 6] : [6, 2];
  return (x: bigint, { rate, bps, iofPpm, fee }: FxTerms): Plain | undefined => {
    const quote = oracleQuote({
      form: 'fx',
      buying,
      given,
      amount: decimal(x, given === 'source' ? sourceScale : targetScale),
      rate: Exact.whole(rate, 10n ** 10n),
      bps: Number(bps),
      iofPpm: Number(iofPpm),
      fee: decimal(fee, 2),
    });
    if (!quote) return undefined;
    const [source, target] = buying ? [quote.brl, quote.token] : [quote.token, quote.brl];
    return {
      source: minor(source, sourceScale),
      target: minor(target, targetScale),
      spread: minor(quote.spread, 2),
      iof: minor(quote.iof, 2),
    };
  };
}

/** The four formulas, written from the pricing rules and not from the code. */
export const exact = {
  buySource: exactly(true, 'source'),
  buyTarget: exactly(true, 'target'),
  sellSource: exactly(false, 'source'),
  sellTarget: exactly(false, 'target'),
};

/* The second oracle: big.js with so many decimals that rounding to centavos loses nothing. */
const WideBig = Big();
WideBig.DP = 80;
WideBig.RM = 0;
const big = (x: bigint, scale: number) => new WideBig(x.toString()).div(new WideBig(10).pow(scale));
const minorOf = (x: Big, scale: number) => BigInt(x.times(new WideBig(10).pow(scale)).round(0, 0).toFixed(0));
const [DOWN, UP] = [0, 3] as const;

export function decimalBuySource(x: bigint, t: FxTerms): Plain | undefined {
  const [s, i] = [big(t.bps, 4), big(t.iofPpm, 6)];
  const A = big(x - t.fee, 2);
  if (A.lte(0)) return undefined;
  const iof = A.times(i).div(i.plus(1)).round(2, UP);
  const B = A.minus(iof);
  const spread = B.times(s).div(s.plus(1)).round(2, UP);
  const target = minorOf(B.minus(spread).div(big(t.rate, 10)).round(6, DOWN), 6);
  return target > 0n ? { source: x, target, spread: minorOf(spread, 2), iof: minorOf(iof, 2) } : undefined;
}

export function decimalSellTarget(x: bigint, t: FxTerms): Plain | undefined {
  const [s, i] = [big(t.bps, 4), big(t.iofPpm, 6)];
  const B = big(x + t.fee, 2);
  const b = B.div(new WideBig(1).minus(i)).round(2, UP);
  const spread = b.times(s).div(new WideBig(1).minus(s)).round(2, UP);
  const source = minorOf(b.plus(spread).div(big(t.rate, 10)).round(6, DOWN), 6);
  return source > 0n ? { source, target: x, spread: minorOf(spread, 2), iof: minorOf(b.minus(B), 2) } : undefined;
}

export const terms: fc.Arbitrary<FxTerms> = fc.record({
  // Any rate up to the feeds' bound of 10,000, with small and ordinary ones more often.
  rate: fc.oneof(fc.bigInt(10_000_000_000n, 100_000_000_000n), fc.bigInt(100_000_000n, 100_000_000_000_000n)),
  unit: fc.constant(UNIT),
  bps: fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 9_998n)),
  iofPpm: fc.oneof(fc.constantFrom(0n, 3_800n, 35_000n), fc.bigInt(0n, 999_999n)),
  fee: fc.oneof(fc.constantFrom(0n, 200n), fc.bigInt(0n, 10_000n)),
});
/** From dust to ten million, in centavos or in millionths of a token. */
export const amount = fc.oneof(fc.bigInt(1n, 100_000n), fc.bigInt(1n, 1_000_000_000_000n), fc.bigInt(1n, 10n ** 15n));
export const bare = (priced: Priced | undefined): Plain | undefined =>
  priced && { source: priced.source, target: priced.target, spread: priced.spread, iof: priced.iof };

/** Much cheaper than `toEqual` for a hundred thousand comparisons. */
export function expectSame(actual: Plain | undefined, expected: Plain | undefined): void {
  const text = (one: Plain | undefined) => one && `${one.source}/${one.target}/${one.spread}/${one.iof}`;
  if (text(actual) !== text(expected)) throw new Error(`${text(actual)} is not ${text(expected)}`);
}
