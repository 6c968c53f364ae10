import { divFloor } from './fixed-point';

/** An unsigned decimal as it was written: `12.50` has the digits 1250 and scale 2. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** 18 digits, a point and 18 digits. Longer texts are rejected without being parsed. */
const MAX_LENGTH = 40;

/** Plain ASCII digits: no sign, no exponent, no space, no leading zero, no bare point. */
const GRAMMAR = /^(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/;

/** Powers of ten for every scale in use: computing one costs more than the multiplication that uses it. */
const POWERS = Array.from({ length: MAX_LENGTH + 1 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10^exponent, for an integer of 0 or more. */
export const tenTo = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

/** Parses an external amount with our own strict grammar; undefined if the text is anything else. */
export function parseDecimal(text: string): Decimal | undefined {
  // External data may not match its declared type, so the type is checked here as well.
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return undefined;
  const match = GRAMMAR.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** The value in units of 10^-scale. Decimals beyond the scale are cut off. */
export function rescaleFloor(d: Decimal, scale: number): bigint {
  if (scale === d.scale) return d.digits;
  return scale > d.scale ? d.digits * tenTo(scale - d.scale) : divFloor(d.digits, tenTo(d.scale - scale));
}

/** The value in units of 10^-scale; undefined if it is not an integer. */
export function rescaleExact(d: Decimal, scale: number): bigint | undefined {
  const minor = rescaleFloor(d, scale);
  const lost = scale < d.scale && minor * tenTo(d.scale - scale) !== d.digits;
  return lost ? undefined : minor;
}

/** Shows all decimals of the scale: 1250 at scale 2 is `12.50`. Negative values have a minus sign. */
export function formatDecimal(minor: bigint, scale: number): string {
  const negative = minor < 0n;
  const digits = (negative ? -minor : minor).toString().padStart(scale + 1, '0');
  const sign = negative ? '-' : '';
  if (scale === 0) return sign + digits;
  const point = digits.length - scale;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
