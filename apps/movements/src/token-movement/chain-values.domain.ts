import type { DecimalText } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import { Money, assetOf, parseEvmAddress, refuse, toOnChain, violation } from '@ponte/kernel';

const REFERENCE_DIGITS = 64;
/** Minor units of a BRL token per centavo. */
const CENTAVO = 10n ** 16n;

/** The id itself, padded to 32 bytes, so that the chain can be searched with nothing but the id. */
export function referenceOf(mintId: string): `0x${string}` {
  return `0x${mintId.replaceAll('-', '').padStart(REFERENCE_DIGITS, '0')}`;
}

/** The amount in units of the token's contract. */
export const unitsOf = (asset: AssetId, amount: DecimalText): bigint => toOnChain(Money.stored(asset, amount));

/** The BRL amount in units of the token behind vault shares, which has 18 decimals. */
export const backingOf = (brl: DecimalText): bigint =>
  unitsOf('eth-base/brly', Money.of('eth-base/brly', Money.stored('fiat/brl', brl).minor * CENTAVO).toString());

/**
 * The least that redeemed shares must return. A quote rounds the shares of a BRL amount down, so they may return too
 * little by less than one minor unit per BRL of the share's price. We bear that, as it is far below a centavo.
 */
export const leastBackingOf = (brl: DecimalText): bigint => backingOf(brl) - FLOORED;

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
  return parsed.ok ? parsed.address : refuse(parsed.code, ADDRESS_MESSAGES[parsed.code], path);
}

export const ADDRESS_MESSAGES = {
  'invalid-address': 'must be an EVM address: 0x and 40 hexadecimal digits, not all zero',
  'bad-address-checksum': 'must be in lower case, in upper case or with its EIP-55 checksum',
} as const;

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
  if (!money.isPositive()) refuse('amount-below-minimum', 'must be more than zero', 'amount');
  toOnChain(money);
  return money;
}
