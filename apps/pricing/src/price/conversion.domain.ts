import type { AssetId } from '@ponte/kernel';
import { assetOf } from '@ponte/kernel';
import { PRICED_TOKENS } from '@ponte/contracts';

/** BRL to token is a purchase, token to BRL a sale. */
export type Direction = 'buy' | 'sell';
/** `same-currency`: both sides stand for BRL, so no trade reason, no lock and no IOF. */
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

// Maps and not objects: the keys come from outside.
const BUYING: ReadonlyMap<string, Conversion> = new Map(
  PRICED_TOKENS.map((token) => [token, conversion(token, 'buy')]),
);
const SELLING: ReadonlyMap<string, Conversion> = new Map(
  PRICED_TOKENS.map((token) => [token, conversion(token, 'sell')]),
);

/** The conversion of a pair, or undefined when it has no price. */
export function conversionOf(source: AssetId, target: AssetId): Conversion | undefined {
  if (source === BRL) return BUYING.get(target);
  return target === BRL ? SELLING.get(source) : undefined;
}

/** Source and target of a conversion. */
export const pairOf = ({ direction, token }: Conversion): { readonly source: AssetId; readonly target: AssetId } =>
  direction === 'buy' ? { source: BRL, target: token } : { source: token, target: BRL };
