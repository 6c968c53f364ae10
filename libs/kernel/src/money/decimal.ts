import { divFloor } from './fixed-point';

/** An unsigned decimal as it was written: `12.50` is 1250 at scale 2. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** 18 digits, a point, 18 digits: nothing longer can be right, and nothing longer is looked at. */
const MAX_LENGTH = 40;

/** Plain ASCII digits: no sign, no exponent, no space, no leading zero, no bare point. */
const GRAMMAR = /^(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/;

/** As far as any scale here goes: a power of bigints costs more than the product it is for. */
const POWERS = Array.from({ length: MAX_LENGTH + 1 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10^exponent, of a whole number from zero. */
export const tenTo = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

/** Reads an amount from outside by our own strict grammar; undefined when the text is anything else. */
export function parseDecimal(text: string): Decimal | undefined {
  // The type is a promise about data from outside, so it is checked here as well.
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return undefined;
  const match = GRAMMAR.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** The value in units of 10^-scale; decimals beyond the scale are cut off. */
export function rescaleFloor(d: Decimal, scale: number): bigint {
  if (scale === d.scale) return d.digits;
  return scale > d.scale ? d.digits * tenTo(scale - d.scale) : divFloor(d.digits, tenTo(d.scale - scale));
}

/** The value in units of 10^-scale, or undefined when it is not a whole number of them. */
export function rescaleExact(d: Decimal, scale: number): bigint | undefined {
  const minor = rescaleFloor(d, scale);
  const lost = scale < d.scale && minor * tenTo(d.scale - scale) !== d.digits;
  return lost ? undefined : minor;
}

/** Always shows all decimals of the scale: 1250 at scale 2 is `12.50`. Negative values are shown with a minus. */
export function formatDecimal(minor: bigint, scale: number): string {
  const negative = minor < 0n;
  const digits = (negative ? -minor : minor).toString().padStart(scale + 1, '0');
  const sign = negative ? '-' : '';
  if (scale === 0) return sign + digits;
  const point = digits.length - scale;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
