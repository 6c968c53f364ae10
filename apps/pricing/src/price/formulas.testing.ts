import type { FxTerms } from './conversion.domain';

/* An oracle that shares nothing with the code: the formulas as they are written, on exact fractions. */
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
  /** Down and up to a number of decimals; negatives go the same way. */
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
