import { Big } from 'big.js';
import { formatDecimal } from './decimal';
import { refuse } from '../refusal';

/** Decimals of a rate, everywhere. */
export const RATE_SCALE = 10;

/** Feeds write rates as plain decimals or with a short exponent; the bound keeps 1e999999 from being expanded. */
const GRAMMAR = /^\d{1,18}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;
const MAX_LENGTH = 64;

/** No rate between two currencies comes near it; what does is a broken feed. */
const SCALED_LIMIT = 10n ** BigInt(18 + RATE_SCALE);

/** Units of `quote` for one unit of `base` (symbols, not asset ids), floored to ten decimals and above zero. */
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

  /**
   * Reads a rate from a feed or from configuration. Refuses `invalid-format` when it is not a rate, or is rounded down
   * to zero.
   */
  static parse(base: string, quote: string, text: string): Rate {
    const scaled = scaledOf(text);
    if (scaled === undefined || scaled <= 0n || scaled >= SCALED_LIMIT) {
      return refuse('invalid-format', 'a rate must be a decimal above zero with at most ten significant decimals');
    }
    return new Rate(base, quote, scaled);
  }

  /** All ten decimals: `5.3412000000`. */
  toString(): string {
    return formatDecimal(this.scaled, RATE_SCALE);
  }
}

function scaledOf(text: string): bigint | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !GRAMMAR.test(text)) return undefined;
  const floored = new Big(text).round(RATE_SCALE, 0);
  return BigInt(floored.times(new Big(10).pow(RATE_SCALE)).toFixed(0));
}
