/*
 * Computes quotes by the formulas of docs/spec/pricing.md, with exact fractions. It shares no type, rounding or table
 * with the code under test, so that an error there cannot also be an error here.
 */

/** A fraction of two whole numbers; the denominator is above zero. */
export class Exact {
  constructor(
    readonly n: bigint,
    readonly d: bigint,
  ) {}
  /** Parses a decimal text digit by digit. */
  static of(text: string): Exact {
    const [whole = '', part = ''] = text.split('.');
    return new Exact(BigInt(whole + part), 10n ** BigInt(part.length));
  }
  static whole(n: bigint | number, d: bigint | number = 1n): Exact {
    return new Exact(BigInt(n), BigInt(d));
  }
  plus = (o: Exact): Exact => new Exact(this.n * o.d + o.n * this.d, this.d * o.d);
  minus = (o: Exact): Exact => new Exact(this.n * o.d - o.n * this.d, this.d * o.d);
  times = (o: Exact): Exact => new Exact(this.n * o.n, this.d * o.d);
  over = (o: Exact): Exact => new Exact(this.n * o.d, this.d * o.n);
  /** Rounds down to a multiple of 10^-scale. */
  floor(scale: number): Exact {
    const unit = 10n ** BigInt(scale);
    const scaled = this.n * unit;
    const cut = scaled / this.d;
    return new Exact(scaled < 0n && cut * this.d !== scaled ? cut - 1n : cut, unit);
  }
  /** Rounds up to a multiple of 10^-scale. */
  ceil = (scale: number): Exact => ZERO.minus(ZERO.minus(this).floor(scale));
  isAbove = (o: Exact): boolean => this.n * o.d > o.n * this.d;
  /** The number with exactly `scale` decimals. It must not have more. */
  text(scale: number): string {
    const digits = ((this.n * 10n ** BigInt(scale)) / this.d).toString().padStart(scale + 1, '0');
    return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  }
}
const ZERO = Exact.whole(0);
const ONE = Exact.whole(1);

export type OracleForm = 'fx' | 'par' | 'share';

/** The exact inputs of a price. */
interface OracleTerms {
  readonly form: OracleForm;
  readonly buying: boolean;
  readonly given: 'source' | 'target';
  /** The given amount as sent, with any number of decimals. */
  readonly amount: string;
  /** BRL for one token. */
  readonly rate: Exact;
  readonly bps: number;
  readonly iofPpm: number;
  readonly fee: string;
}

interface OracleQuote {
  readonly brl: Exact;
  readonly token: Exact;
  readonly spread: Exact;
  readonly iof: Exact;
  readonly vet: Exact;
}

const CENTS = 2;
export const tokenScale = (form: OracleForm): number => (form === 'fx' ? 6 : 18);

/** Undefined if a computed amount is not above zero. */
export function oracleQuote(terms: OracleTerms): OracleQuote | undefined {
  const inBrl = (terms.given === 'source') === terms.buying;
  const scale = inBrl ? CENTS : tokenScale(terms.form);
  const amount = Exact.of(terms.amount).floor(scale);
  const priced = { fx: fxOf, par: parOf, share: shareOf }[terms.form](amount, inBrl, terms);
  if (!priced.brl.isAbove(ZERO) || !priced.token.isAbove(ZERO)) return undefined;
  return { ...priced, vet: priced.brl.over(priced.token).floor(10) };
}

type Amounts = Omit<OracleQuote, 'vet'>;

function fxOf(amount: Exact, inBrl: boolean, { buying, rate: R, bps, iofPpm, fee }: OracleTerms): Amounts {
  const s = Exact.whole(bps, 10_000);
  const i = Exact.whole(iofPpm, 1_000_000);
  const f = Exact.of(fee);
  if (buying && inBrl) {
    const A = amount.minus(f);
    const iof = A.times(i.over(ONE.plus(i))).ceil(CENTS);
    const B = A.minus(iof);
    const spread = B.times(s.over(ONE.plus(s))).ceil(CENTS);
    return { brl: amount, token: B.minus(spread).over(R).floor(6), spread, iof };
  }
  if (buying) {
    const m = amount.times(R);
    const spread = m.times(s).ceil(CENTS);
    const iof = m.plus(spread).times(i).ceil(CENTS);
    return { brl: m.plus(spread).plus(iof).plus(f).floor(CENTS), token: amount, spread, iof };
  }
  if (!inBrl) {
    const m = amount.times(R);
    const b = m.times(ONE.minus(s)).floor(CENTS);
    const iof = b.times(i).ceil(CENTS);
    return { brl: b.minus(iof).minus(f), token: amount, spread: m.floor(CENTS).minus(b), iof };
  }
  const B = amount.plus(f);
  const b = B.over(ONE.minus(i)).ceil(CENTS);
  const spread = b.times(s.over(ONE.minus(s))).ceil(CENTS);
  return { brl: amount, token: b.plus(spread).over(R).floor(6), spread, iof: b.minus(B) };
}

/** 1:1, with tokens truncated to centavos, so that supply equals reserve. */
function parOf(amount: Exact): Amounts {
  const centavos = amount.floor(CENTS);
  return { brl: centavos, token: centavos, spread: ZERO, iof: ZERO };
}

/** shares = ⌊BRL/pps⌋₁₈, BRL = ⌊shares·pps⌋₂. Given shares are bought for the whole centavos of their price. */
function shareOf(amount: Exact, inBrl: boolean, { buying, rate: pps }: OracleTerms): Amounts {
  const none = { spread: ZERO, iof: ZERO };
  const sharesFor = (brl: Exact) => brl.over(pps).floor(18);
  if (inBrl) return { brl: amount, token: sharesFor(amount), ...none };
  const brl = amount.times(pps).floor(CENTS);
  return { brl, token: buying ? sharesFor(brl) : amount, ...none };
}
