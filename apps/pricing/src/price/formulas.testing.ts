import { Big } from 'big.js';
import * as fc from 'fast-check';
import type { FxTerms, Priced } from './conversion.domain';

export const UNIT = 10n ** 14n;

/* The first oracle: the formulas as written, on exact fractions. It shares nothing with the code. */
class Fraction {
  constructor(
    readonly n: bigint,
    readonly d: bigint = 1n,
  ) {}
  plus(o: Fraction) {
    return new Fraction(this.n * o.d + o.n * this.d, this.d * o.d);
  }
  minus(o: Fraction) {
    return new Fraction(this.n * o.d - o.n * this.d, this.d * o.d);
  }
  times(o: Fraction) {
    return new Fraction(this.n * o.n, this.d * o.d);
  }
  over(o: Fraction) {
    return new Fraction(this.n * o.d, this.d * o.n);
  }
  /** Rounds to a number of decimals, negative numbers in the same direction as positive ones. */
  down(scale: number) {
    return new Fraction(floorDiv(this.n * 10n ** BigInt(scale), this.d), 10n ** BigInt(scale));
  }
  up(scale: number) {
    return new Fraction(-floorDiv(-this.n * 10n ** BigInt(scale), this.d), 10n ** BigInt(scale));
  }
  positive() {
    return this.n > 0n;
  }
  minor(scale: number) {
    return (this.n * 10n ** BigInt(scale)) / this.d;
  }
}
const floorDiv = (n: bigint, d: bigint) => (n >= 0n ? n / d : -((-n + d - 1n) / d));
const one = new Fraction(1n);

export interface Plain {
  readonly source: bigint;
  readonly target: bigint;
  readonly spread: bigint;
  readonly iof: bigint;
}
interface Oracle {
  buySource(x: bigint, t: FxTerms): Plain | undefined;
  buyTarget(x: bigint, t: FxTerms): Plain | undefined;
  sellSource(x: bigint, t: FxTerms): Plain | undefined;
  sellTarget(x: bigint, t: FxTerms): Plain | undefined;
}

const read = (t: FxTerms) => ({
  R: new Fraction(t.rate, 10n ** 10n),
  s: new Fraction(t.bps, 10_000n),
  i: new Fraction(t.iofPpm, 1_000_000n),
  f: new Fraction(t.fee, 100n),
});
const plain = (source: bigint, target: bigint, spread: Fraction, iof: Fraction): Plain | undefined =>
  source > 0n && target > 0n ? { source, target, spread: spread.minor(2), iof: iof.minor(2) } : undefined;

/** The four formulas on exact fractions, written from the pricing rules and not from the code. */
export const exact: Oracle = {
  buySource(x, t) {
    const { R, s, i, f } = read(t);
    const A = new Fraction(x, 100n).minus(f);
    if (!A.positive()) return undefined;
    const iof = A.times(i).over(one.plus(i)).up(2);
    const B = A.minus(iof);
    const spread = B.times(s).over(one.plus(s)).up(2);
    return plain(x, B.minus(spread).over(R).down(6).minor(6), spread, iof);
  },
  buyTarget(x, t) {
    const { R, s, i, f } = read(t);
    const m = new Fraction(x, 1_000_000n).times(R);
    const spread = m.times(s).up(2);
    const iof = m.plus(spread).times(i).up(2);
    return plain(m.plus(spread).plus(iof).plus(f).down(2).minor(2), x, spread, iof);
  },
  sellSource(x, t) {
    const { R, s, i, f } = read(t);
    const m = new Fraction(x, 1_000_000n).times(R);
    const b = m.times(one.minus(s)).down(2);
    const iof = b.times(i).up(2);
    return plain(x, b.minus(iof).minus(f).minor(2), m.down(2).minus(b), iof);
  },
  sellTarget(x, t) {
    const { R, s, i, f } = read(t);
    const B = new Fraction(x, 100n).plus(f);
    const b = B.over(one.minus(i)).up(2);
    const spread = b.times(s).over(one.minus(s)).up(2);
    return plain(b.plus(spread).over(R).down(6).minor(6), x, spread, b.minus(B));
  },
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
