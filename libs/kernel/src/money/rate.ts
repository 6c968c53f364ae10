import { Big } from 'big.js';
import { formatDecimal } from './decimal';
import { refuse } from '../refusal';

/** Number of decimals of every rate. */
export const RATE_SCALE = 10;

/** Feeds write rates as plain decimals or with a short exponent. The limit prevents expanding 1e999999. */
const GRAMMAR = /^\d{1,18}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;
const MAX_LENGTH = 64;

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
    if (scaled <= 0n || scaled >= SCALED_LIMIT) throw new RangeError('a rate must be above zero and below 10^18');
    return new Rate(base, quote, scaled);
  }

  /** Parses a rate. Refuses `invalid-format` if it is not a rate or is rounded down to zero. */
  static parse(base: string, quote: string, text: string): Rate {
    const scaled = scaledOf(text);
    if (scaled === undefined || scaled <= 0n || scaled >= SCALED_LIMIT) {
      return refuse('invalid-format', 'a rate must be a decimal above zero, of which ten decimal places count');
    }
    return new Rate(base, quote, scaled);
  }

  /** With all ten decimals: `5.3412000000`. */
  toString(): string {
    return formatDecimal(this.scaled, RATE_SCALE);
  }
}

function scaledOf(text: string): bigint | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !GRAMMAR.test(text)) return undefined;
  const floored = new Big(text).round(RATE_SCALE, 0);
  return BigInt(floored.times(new Big(10).pow(RATE_SCALE)).toFixed(0));
}
