import { Big } from 'big.js';
import { divFloor } from './fixed-point';
import { refuse } from '../refusal';

/** An unsigned decimal as it was written: `12.50` has the digits 1250 and scale 2. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** The longest text of an amount. Longer texts are rejected without being parsed. */
export const MAX_AMOUNT_LENGTH = 80;

/** The most digits of an amount before its decimal point. */
export const MAX_WHOLE_DIGITS = 18;

/**
 * Plain ASCII digits: no sign, no exponent, no space, no leading zero, no bare point. There may be more decimals than
 * any asset has, so that each operation can cut them off or refuse them with its own code.
 */
const GRAMMAR = /^(0|[1-9]\d{0,17})(?:\.(\d+))?$/;

/** Powers of ten for every scale in use: computing one costs more than the multiplication that uses it. */
const POWERS = Array.from({ length: MAX_AMOUNT_LENGTH + 1 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10^exponent, for an integer of 0 or more. */
export const tenTo = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

/** Parses an external amount with our own strict grammar; undefined if the text is anything else. */
export function parseDecimal(text: string): Decimal | undefined {
  // External data may not match its declared type, so the type is checked here as well.
  if (typeof text !== 'string' || text.length > MAX_AMOUNT_LENGTH) return undefined;
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

/** Number of decimals of every rate. */
export const RATE_SCALE = 10;

/** Feeds write rates as plain decimals or with a short exponent. The limits prevent expanding 1e999999. */
const RATE_GRAMMAR = /^\d{1,18}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;

/** No rate between two currencies comes close to this limit; a higher value means that a feed is broken. */
const SCALED_LIMIT = 10n ** BigInt(18 + RATE_SCALE);

/** Units of `quote` for one unit of `base` (symbols, not asset ids). Above zero, and rounded down to ten decimals. */
export class Rate {
  private constructor(
    readonly base: string,
    readonly quote: string,
    /** The rate times 10^10. */
    readonly scaled: bigint,
  ) {}

  static of(base: string, quote: string, scaled: bigint): Rate {
    if (scaled <= 0n || scaled >= SCALED_LIMIT)
      throw new RangeError('a rate must be greater than zero and below 10^18');
    return new Rate(base, quote, scaled);
  }

  /** Parses a rate. Refuses `invalid-format` if it is not a rate or is rounded down to zero. */
  static parse(base: string, quote: string, text: string): Rate {
    const scaled = scaledOf(text);
    if (scaled === undefined || scaled <= 0n || scaled >= SCALED_LIMIT) {
      return refuse('invalid-format', 'a rate must be a decimal greater than zero, of which ten decimal places count');
    }
    return new Rate(base, quote, scaled);
  }

  /** With all ten decimals: `5.3412000000`. */
  toString(): string {
    return formatDecimal(this.scaled, RATE_SCALE);
  }
}

function scaledOf(text: string): bigint | undefined {
  if (typeof text !== 'string' || !RATE_GRAMMAR.test(text)) return undefined;
  const floored = new Big(text).round(RATE_SCALE, 0);
  return BigInt(floored.times(new Big(10).pow(RATE_SCALE)).toFixed(0));
}
