import { assetOf } from './assets';
import type { AssetId } from './assets';
import { formatDecimal, parseDecimal, rescaleFloor } from './decimal';
import type { Decimal } from './decimal';
import { refuse } from '../refusal';

/** The format of `toString`. A sum may have a sign, and more digits than the input grammar accepts. */
const STORED = /^(-?)(\d{1,60})(?:\.(\d{1,18}))?$/;

/** An amount of one asset in its minor units (10^-scale of the API). Immutable. May be negative, as in postings. */
export class Money {
  private constructor(
    readonly asset: AssetId,
    readonly minor: bigint,
  ) {}

  static of(asset: AssetId, minor: bigint): Money {
    return new Money(asset, minor);
  }

  static zero(asset: AssetId): Money {
    return new Money(asset, 0n);
  }

  /**
   * Parses an external amount, the field `amount` of a request. Refuses `invalid-format` if it is not a plain decimal,
   * and `amount-scale-exceeded` if it is written with more decimals than the asset has, even if they are zeros.
   */
  static parse(asset: AssetId, text: string): Money {
    const decimal = decimalOrRefuse(text);
    const { scale } = assetOf(asset);
    if (decimal.scale > scale) refuseScale(asset, scale);
    return new Money(asset, rescaleFloor(decimal, scale));
  }

  /**
   * Parses an amount that `toString` wrote to an event or a read model. Any other text is a corrupt record: TypeError.
   */
  static stored(asset: AssetId, text: string): Money {
    const [, sign, whole = '', fraction = ''] = STORED.exec(text) ?? [];
    if (sign === undefined || fraction.length !== assetOf(asset).scale) {
      throw new TypeError(`a stored amount of ${asset} has the wrong format`);
    }
    const minor = BigInt(whole + fraction);
    return new Money(asset, sign === '-' ? -minor : minor);
  }

  plus(other: Money): Money {
    return new Money(this.asset, this.minor + this.minorOf(other));
  }

  minus(other: Money): Money {
    return new Money(this.asset, this.minor - this.minorOf(other));
  }

  negate(): Money {
    return new Money(this.asset, -this.minor);
  }

  /** -1, 0 or 1, for sorting. */
  compare(other: Money): -1 | 0 | 1 {
    const theirs = this.minorOf(other);
    if (this.minor === theirs) return 0;
    return this.minor < theirs ? -1 : 1;
  }

  equals(other: Money): boolean {
    return this.minor === this.minorOf(other);
  }

  isZero(): boolean {
    return this.minor === 0n;
  }

  isPositive(): boolean {
    return this.minor > 0n;
  }

  isNegative(): boolean {
    return this.minor < 0n;
  }

  /** The decimal string at the asset's scale, without the asset: `12.50`. */
  toString(): string {
    return formatDecimal(this.minor, assetOf(this.asset).scale);
  }

  private minorOf(other: Money): bigint {
    if (other.asset !== this.asset)
      throw new TypeError(`amounts of ${this.asset} and ${other.asset} cannot be combined`);
    return other.minor;
  }
}

/**
 * A token amount in the contract's units. Refuses `amount-scale-exceeded` if it has more decimals than the contract.
 */
export function toOnChain(money: Money): bigint {
  const { units, remainder } = toOnChainFloor(money);
  if (!remainder.isZero()) refuseScale(money.asset, onChainDecimalsOf(money.asset));
  return units;
}

/** An amount that an event or a read model contains, in units of the token's contract. */
export const unitsOf = (asset: AssetId, amount: string): bigint => toOnChain(Money.stored(asset, amount));

/** A token amount in the contract's units, rounded down, and the remainder. */
export function toOnChainFloor(money: Money): { units: bigint; remainder: Money } {
  if (money.isNegative()) throw new RangeError('an amount on a chain cannot be negative');
  const unit = minorPerUnit(money.asset);
  const units = money.minor / unit;
  return { units, remainder: Money.of(money.asset, money.minor - units * unit) };
}

/** Converts the contract's units to an amount; always exact. */
export function fromOnChain(asset: AssetId, units: bigint): Money {
  return Money.of(asset, units * minorPerUnit(asset));
}

function minorPerUnit(asset: AssetId): bigint {
  return 10n ** BigInt(assetOf(asset).scale - onChainDecimalsOf(asset));
}

function onChainDecimalsOf(asset: AssetId): number {
  const { onChainDecimals } = assetOf(asset);
  if (onChainDecimals === undefined) throw new TypeError(`${asset} is not an asset on a chain`);
  return onChainDecimals;
}

function decimalOrRefuse(text: string): Decimal {
  return parseDecimal(text) ?? refuse('invalid-format', 'must be a plain decimal string such as 12.50', 'amount');
}

function refuseScale(asset: AssetId, decimals: number): never {
  return refuse(
    'amount-scale-exceeded',
    `an amount of ${asset} must have at most ${decimals} decimal places`,
    'amount',
  );
}
