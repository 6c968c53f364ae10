import { assetOf } from './assets';
import type { AssetId } from './assets';
import { formatDecimal, parseDecimal, rescaleFloor } from './decimal';
import type { Decimal } from './decimal';
import { refuse } from '../refusal';

/** How `toString` writes an amount: a sum may have more digits than the input grammar lets in, and a sign. */
const STORED = /^(-?)(\d{1,60})(?:\.(\d{1,18}))?$/;

/** An amount of one asset in its minor units (10^-scale of the API). Immutable; may be negative, as a posting is. */
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
   * Reads an amount from outside. Refuses `invalid-format` when it is not a plain decimal, and
   * `amount-scale-exceeded` when it is written with more decimals than the asset has, zeros included.
   */
  static parse(asset: AssetId, text: string): Money {
    const decimal = decimalOrRefuse(text);
    const { scale } = assetOf(asset);
    if (decimal.scale > scale) refuseScale(asset, scale);
    return new Money(asset, rescaleFloor(decimal, scale));
  }

  /** Reads an amount from outside and cuts decimals beyond the asset's scale off, as quotes do. */
  static parseFloor(asset: AssetId, text: string): Money {
    return new Money(asset, rescaleFloor(decimalOrRefuse(text), assetOf(asset).scale));
  }

  /** Reads back what `toString` wrote into an event or a view. Anything else is a corrupt record: TypeError. */
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

  /** -1, 0 or 1, as a sort wants it. */
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

/** The contract's units of a token amount. Refuses `amount-scale-exceeded` when the chain would lose a part of it. */
export function toOnChain(money: Money): bigint {
  const { units, remainder } = toOnChainFloor(money);
  if (!remainder.isZero()) refuseScale(money.asset, onChainDecimalsOf(money.asset));
  return units;
}

/** The contract's units of a token amount, floored, and what flooring left over. */
export function toOnChainFloor(money: Money): { units: bigint; remainder: Money } {
  if (money.isNegative()) throw new RangeError('an amount on a chain cannot be negative');
  const unit = minorPerUnit(money.asset);
  const units = money.minor / unit;
  return { units, remainder: Money.of(money.asset, money.minor - units * unit) };
}

/** The amount that a number of the contract's units stands for; always exact. */
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
  return parseDecimal(text) ?? refuse('invalid-format', 'must be a plain decimal string such as 12.50');
}

function refuseScale(asset: AssetId, decimals: number): never {
  return refuse('amount-scale-exceeded', `an amount of ${asset} must have at most ${decimals} decimal places`);
}
