import { divCeil, divFloor, mulCeil, mulFloor } from '@ponte/kernel';

/** What an FX price depends on. BRL in centavos, the token in its minor units. */
export interface FxTerms {
  /** BRL for one token, times 10^10. */
  readonly rate: bigint;
  /** Token minor units for one centavo at a rate of 10^-10: 10^(10 + token scale - 2). */
  readonly unit: bigint;
  /** Spread with the rate lock's premium in it, 1 to 9,999. */
  readonly bps: bigint;
  /** IOF rate in parts per million, below one million. */
  readonly iofPpm: bigint;
  /** Fixed fee, centavos. */
  readonly fee: bigint;
}

/** A priced conversion. `mid` is the BRL value at the base rate, floored; spread, fee and IOF are centavos. */
export interface Priced {
  readonly source: bigint;
  readonly target: bigint;
  readonly mid: bigint;
  readonly spread: bigint;
  readonly iof: bigint;
  readonly fee: bigint;
}

const BPS = 10_000n;
const PPM = 1_000_000n;

/*
 * The four formulas of the pricing rules, in integers. Spread and IOF round up to the centavo, amounts are floored, and
 * nothing else is rounded. Each answers undefined when an amount would not be above zero: too small to be quoted.
 */

/** BRL to token, the BRL given: fee, IOF and spread are taken out of it, the rest buys tokens. */
export function buyFromSource(source: bigint, terms: FxTerms): Priced | undefined {
  const afterFee = source - terms.fee;
  if (afterFee <= 0n) return undefined;
  const iof = mulCeil(afterFee, terms.iofPpm, PPM + terms.iofPpm);
  const basis = afterFee - iof;
  const spread = mulCeil(basis, terms.bps, BPS + terms.bps);
  const mid = basis - spread;
  return positive({ source, target: mulFloor(mid, terms.unit, terms.rate), mid, spread, iof, fee: terms.fee });
}

/** BRL to token, the token given: spread, IOF and fee are put on top of what it costs. */
export function buyForTarget(target: bigint, terms: FxTerms): Priced | undefined {
  // The exact value at the base rate, in centavos times `unit`.
  const value = target * terms.rate;
  const spread = mulCeil(value, terms.bps, terms.unit * BPS);
  const iof = mulCeil(value + spread * terms.unit, terms.iofPpm, terms.unit * PPM);
  const mid = divFloor(value, terms.unit);
  return positive({ source: mid + spread + iof + terms.fee, target, mid, spread, iof, fee: terms.fee });
}

/** Token to BRL, the token given. */
export function sellFromSource(source: bigint, terms: FxTerms): Priced | undefined {
  const value = source * terms.rate;
  const afterSpread = mulFloor(value, BPS - terms.bps, terms.unit * BPS);
  const mid = divFloor(value, terms.unit);
  const iof = mulCeil(afterSpread, terms.iofPpm, PPM);
  return positive({
    source,
    target: afterSpread - iof - terms.fee,
    mid,
    spread: mid - afterSpread,
    iof,
    fee: terms.fee,
  });
}

/** Token to BRL, the BRL given: what must be sold so that it is left over. */
export function sellForTarget(target: bigint, terms: FxTerms): Priced | undefined {
  if (target <= 0n) return undefined;
  const beforeFee = target + terms.fee;
  const afterSpread = divCeil(beforeFee * PPM, PPM - terms.iofPpm);
  const spread = mulCeil(afterSpread, terms.bps, BPS - terms.bps);
  const mid = afterSpread + spread;
  const iof = afterSpread - beforeFee;
  return positive({ source: mulFloor(mid, terms.unit, terms.rate), target, mid, spread, iof, fee: terms.fee });
}

const positive = (priced: Priced): Priced | undefined =>
  priced.source > 0n && priced.target > 0n ? priced : undefined;
