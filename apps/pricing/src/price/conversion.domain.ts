import type { AssetId } from '@ponte/kernel';
import { assetOf, divCeil, divFloor, mulCeil, mulFloor } from '@ponte/kernel';
import { PRICED_TOKENS } from '@ponte/contracts';

/** `buy` is BRL to token, `sell` is token to BRL. */
export type Direction = 'buy' | 'sell';
/** `same-currency`: both sides represent BRL, so there is no trade reason, rate lock or IOF. */
export type ConversionKind = 'fx' | 'same-currency';
export type ForeignSymbol = 'USDC' | 'USDT';

interface Common {
  readonly direction: Direction;
  readonly token: AssetId;
  readonly scale: number;
  /** 10^(10 + scale - 2): token minor units for one centavo at a rate of 10^-10. */
  readonly unit: bigint;
}

export type FxConversion = Common & { readonly kind: 'fx'; readonly form: 'fx'; readonly symbol: ForeignSymbol };
export type ParConversion = Common & { readonly kind: 'same-currency'; readonly form: 'par'; readonly symbol: 'BRLV' };
export type ShareConversion = Common & {
  readonly kind: 'same-currency';
  readonly form: 'share';
  readonly symbol: 'wBRLY';
};
/** One supported pair in one direction. */
export type Conversion = FxConversion | ParConversion | ShareConversion;

export const BRL: AssetId = 'fiat/brl';

function conversion(token: AssetId, direction: Direction): Conversion {
  const { symbol, scale } = assetOf(token);
  const common = { direction, token, scale, unit: 10n ** BigInt(8 + scale) };
  if (symbol === 'BRLV') return { ...common, kind: 'same-currency', form: 'par', symbol };
  if (symbol === 'wBRLY') return { ...common, kind: 'same-currency', form: 'share', symbol };
  if (symbol === 'USDC' || symbol === 'USDT') return { ...common, kind: 'fx', form: 'fx', symbol };
  throw new Error(`${token} has no price`);
}

// Maps rather than objects, because the keys come from requests.
const BUYING: ReadonlyMap<string, Conversion> = new Map(
  PRICED_TOKENS.map((token) => [token, conversion(token, 'buy')]),
);
const SELLING: ReadonlyMap<string, Conversion> = new Map(
  PRICED_TOKENS.map((token) => [token, conversion(token, 'sell')]),
);

/** The conversion of a pair, or undefined if the pair has no price. */
export function conversionOf(source: AssetId, target: AssetId): Conversion | undefined {
  if (source === BRL) return BUYING.get(target);
  return target === BRL ? SELLING.get(source) : undefined;
}

/** The assets of a conversion: the inverse of {@link conversionOf}. */
export const pairOf = ({ direction, token }: Conversion): { readonly source: AssetId; readonly target: AssetId } =>
  direction === 'buy' ? { source: BRL, target: token } : { source: token, target: BRL };

/** The inputs of an FX price. BRL is in centavos, the token in its minor units. */
export interface FxTerms {
  /** BRL for one token, times 10^10. */
  readonly rate: bigint;
  /** Token minor units for one centavo at a rate of 10^-10: 10^(10 + token scale - 2). */
  readonly unit: bigint;
  /** The spread including the rate lock's premium, 1 to 9,999. */
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
 * nothing else is rounded. Each returns undefined if an amount would not be above zero, too small to be quoted.
 */

/** BRL to token with the BRL given: fee, IOF and spread are deducted from it, and the rest buys tokens. */
export function buyFromSource(source: bigint, terms: FxTerms): Priced | undefined {
  const afterFee = source - terms.fee;
  if (afterFee <= 0n) return undefined;
  const iof = mulCeil(afterFee, terms.iofPpm, PPM + terms.iofPpm);
  const basis = afterFee - iof;
  const spread = mulCeil(basis, terms.bps, BPS + terms.bps);
  const mid = basis - spread;
  return positive({ source, target: mulFloor(mid, terms.unit, terms.rate), mid, spread, iof, fee: terms.fee });
}

/** BRL to token with the token amount given: spread, IOF and fee are added to its cost. */
export function buyForTarget(target: bigint, terms: FxTerms): Priced | undefined {
  // The exact value at the base rate, in centavos times `unit`.
  const value = target * terms.rate;
  const spread = mulCeil(value, terms.bps, terms.unit * BPS);
  const iof = mulCeil(value + spread * terms.unit, terms.iofPpm, terms.unit * PPM);
  const mid = divFloor(value, terms.unit);
  return positive({ source: mid + spread + iof + terms.fee, target, mid, spread, iof, fee: terms.fee });
}

/** Token to BRL with the token amount given. */
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

/** Token to BRL with the BRL given: how much to sell so that this BRL remains after spread, IOF and fee. */
export function sellForTarget(target: bigint, terms: FxTerms): Priced | undefined {
  const beforeFee = target + terms.fee;
  const afterSpread = divCeil(beforeFee * PPM, PPM - terms.iofPpm);
  const spread = mulCeil(afterSpread, terms.bps, BPS - terms.bps);
  const mid = afterSpread + spread;
  const iof = afterSpread - beforeFee;
  return positive({ source: mulFloor(mid, terms.unit, terms.rate), target, mid, spread, iof, fee: terms.fee });
}

const positive = (priced: Priced): Priced | undefined =>
  priced.source > 0n && priced.target > 0n ? priced : undefined;

/** BRL and a token that represents BRL, at par (BRLV) or by the share price (wBRLY). No spread, fee or IOF. */
export interface SameCurrencyTerms {
  /** Minor units of the token that make one centavo at par: 10^(token scale - 2). */
  readonly perCentavo: bigint;
}

interface ShareTerms {
  /** BRL for one share, times 10^10. */
  readonly rate: bigint;
  /** As in `FxTerms`. */
  readonly unit: bigint;
}

/** BRL to BRLV. Both sides have the same centavos, so that supply always equals reserve. */
export const mintAtPar = (brl: bigint, terms: SameCurrencyTerms): Priced | undefined =>
  free(brl, brl * terms.perCentavo, brl);

/** BRLV to BRL. */
export const redeemAtPar = (brl: bigint, terms: SameCurrencyTerms): Priced | undefined =>
  free(brl * terms.perCentavo, brl, brl);

/** The whole centavos in an amount of a token at par. A fraction of a centavo is neither minted nor redeemed. */
export const centavosAtPar = (token: bigint, terms: SameCurrencyTerms): bigint => divFloor(token, terms.perCentavo);

export const buySharesFromSource = (brl: bigint, terms: ShareTerms): Priced | undefined =>
  free(brl, mulFloor(brl, terms.unit, terms.rate), brl);

/**
 * Floors the BRL, then sells only the shares that those whole centavos buy. There is no spread or fee, so selling the
 * given shares would give away the floored fraction of a centavo at every small quote.
 */
export const buySharesForTarget = (shares: bigint, terms: ShareTerms): Priced | undefined =>
  buySharesFromSource(mulFloor(shares, terms.rate, terms.unit), terms);

export function sellSharesFromSource(shares: bigint, terms: ShareTerms): Priced | undefined {
  const brl = mulFloor(shares, terms.rate, terms.unit);
  return free(shares, brl, brl);
}

/** Floored like every amount; the house loses less than one minor unit of a share, 10^-18. */
export const sellSharesForTarget = (brl: bigint, terms: ShareTerms): Priced | undefined =>
  free(mulFloor(brl, terms.unit, terms.rate), brl, brl);

const free = (source: bigint, target: bigint, mid: bigint): Priced | undefined =>
  source > 0n && target > 0n ? { source, target, mid, spread: 0n, iof: 0n, fee: 0n } : undefined;
