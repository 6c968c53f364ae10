import type { DecimalText } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import {
  Money,
  Refusal,
  assetOf,
  evmAddressViolations,
  parseEvmAddress,
  refuse,
  toOnChain,
  unitsOf,
  violation,
} from '@ponte/kernel';

const REFERENCE_DIGITS = 64;
/** Minor units of a BRL token per centavo. */
const CENTAVO = 10n ** 16n;

/** The id itself, padded to 32 bytes, so that the chain can be searched with nothing but the id. */
export function referenceOf(mintId: string): `0x${string}` {
  return `0x${mintId.replaceAll('-', '').padStart(REFERENCE_DIGITS, '0')}`;
}

/** The BRL amount in units of the token behind vault shares, which has 18 decimals. */
export const backingOf = (brl: DecimalText): bigint =>
  unitsOf('eth-base/brly', Money.of('eth-base/brly', Money.stored('fiat/brl', brl).minor * CENTAVO).toString());

/**
 * The least that redeemed shares must return. A quote rounds the shares of a BRL amount down, so they may return too
 * little by less than one minor unit per BRL of the share's price. We bear that, as it is far below a centavo.
 */
export const minBackingOf = (brl: DecimalText): bigint => backingOf(brl) - FLOORED;

/** In minor units of 18 decimals. Enough for any share worth less than 100 BRL. */
const FLOORED = 100n;

/** The chain of a token. Refuses fiat with `asset-not-supported`. */
export const chainOfToken = (asset: AssetId): Chain =>
  assetOf(asset).chain ?? refuse('asset-not-supported', `${asset} is not a token`, 'asset');

/**
 * Parses an address from outside into lower-case. Refuses with `invalid-address` or `bad-address-checksum` at the path.
 */
export function addressAt(path: string, text: string): `0x${string}` {
  const parsed = parseEvmAddress(text);
  if (parsed.ok) return parsed.address;
  throw new Refusal(evmAddressViolations(text, path));
}

/** The violation of an amount that the signer does not allow in one transaction. */
export const ABOVE_MAXIMUM = violation(
  'amount-above-maximum',
  'amount',
  'must not be above the maximum of one transaction',
);

/**
 * Parses the amount of a movement. Refuses zero with `amount-below-minimum`, and more decimals than the asset or its
 * contract has with `amount-scale-exceeded`.
 */
export function movableAmount(asset: AssetId, amount: string): Money {
  const money = Money.parse(asset, amount);
  if (!money.isPositive()) refuse('amount-below-minimum', 'must be greater than zero', 'amount');
  toOnChain(money);
  return money;
}
