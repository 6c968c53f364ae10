import { divFloor, mulFloor } from '@ponte/kernel';
import type { Priced } from './fx-formulas.domain';

/** BRL and a token that stands for BRL: at par (BRLV) or by the price of a share (wBRLY). No spread, fee or IOF. */
export interface SameCurrencyTerms {
  /** Minor units of the token that make one centavo at par: 10^(token scale - 2). */
  readonly perCentavo: bigint;
}

export interface ShareTerms {
  /** BRL for one share, times 10^10. */
  readonly rate: bigint;
  /** As in `FxTerms`. */
  readonly unit: bigint;
}

/** BRL to BRLV; the same centavos on both sides, so that supply always equals reserve. */
export const mintAtPar = (brl: bigint, terms: SameCurrencyTerms): Priced | undefined =>
  free(brl, brl * terms.perCentavo, brl);

/** BRLV to BRL. */
export const redeemAtPar = (brl: bigint, terms: SameCurrencyTerms): Priced | undefined =>
  free(brl * terms.perCentavo, brl, brl);

/** Whole centavos in an amount of a token at par; a part of a centavo is neither minted nor redeemed. */
export const centavosAtPar = (token: bigint, terms: SameCurrencyTerms): bigint => divFloor(token, terms.perCentavo);

export const buySharesFromSource = (brl: bigint, terms: ShareTerms): Priced | undefined =>
  free(brl, mulFloor(brl, terms.unit, terms.rate), brl);

/**
 * The BRL is floored, and then only the shares that those whole centavos buy are sold: with neither spread nor fee, the
 * part of a centavo that flooring leaves would otherwise be a gift, repeated at every small quote.
 */
export const buySharesForTarget = (shares: bigint, terms: ShareTerms): Priced | undefined =>
  buySharesFromSource(mulFloor(shares, terms.rate, terms.unit), terms);

export function sellSharesFromSource(shares: bigint, terms: ShareTerms): Priced | undefined {
  const brl = mulFloor(shares, terms.rate, terms.unit);
  return free(shares, brl, brl);
}

/** Floored like every amount: the house gives away less than one minor unit of a share, 10^-18. */
export const sellSharesForTarget = (brl: bigint, terms: ShareTerms): Priced | undefined =>
  free(mulFloor(brl, terms.unit, terms.rate), brl, brl);

const free = (source: bigint, target: bigint, mid: bigint): Priced | undefined =>
  source > 0n && target > 0n ? { source, target, mid, spread: 0n, iof: 0n, fee: 0n } : undefined;
