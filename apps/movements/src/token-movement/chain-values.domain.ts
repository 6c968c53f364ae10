import type { DecimalText } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import { Money, assetOf, parseEvmAddress, refuse, toOnChain } from '@ponte/kernel';

const REFERENCE_DIGITS = 64;
/** Minor units of a BRL token in a centavo. */
const CENTAVO = 10n ** 16n;

/** The id itself, as 32 bytes: what the contract has taken can be read on the chain with nothing but the id. */
export function referenceOf(mintId: string): `0x${string}` {
  return `0x${mintId.replaceAll('-', '').padStart(REFERENCE_DIGITS, '0')}`;
}

/** Units of the contract. */
export const unitsOf = (asset: AssetId, amount: DecimalText): bigint => toOnChain(Money.stored(asset, amount));

/** Units of the BRL token behind vault shares, which has 18 decimals, for an amount of BRL. */
export const backingOf = (brl: DecimalText): bigint =>
  unitsOf('eth-base/brly', Money.of('eth-base/brly', Money.stored('fiat/brl', brl).minor * CENTAVO).toString());

/**
 * The least that redeemed shares must bring. A quote floors the shares of a given BRL amount, so they may bring less
 * than one minor unit per BRL of the share's price too little; the house gives that away, far below a centavo.
 */
export const leastBackingOf = (brl: DecimalText): bigint => backingOf(brl) - FLOORED;

/** Minor units of 18 decimals: enough for any share worth less than 100 BRL. */
const FLOORED = 100n;

/** The chain of a token. Refuses `asset-not-supported` for fiat. */
export const chainOfToken = (asset: AssetId): Chain =>
  assetOf(asset).chain ?? refuse('asset-not-supported', `${asset} is not a token`, 'asset');

/**
 * Reads an address from outside as its lower-case form. Refuses `invalid-address` and `bad-address-checksum` at the
 * path.
 */
export function addressAt(path: string, text: string): `0x${string}` {
  const parsed = parseEvmAddress(text);
  return parsed.ok ? parsed.address : refuse(parsed.code, ADDRESS_MESSAGES[parsed.code], path);
}

export const ADDRESS_MESSAGES = {
  'invalid-address': 'must be an EVM address: 0x and 40 hexadecimal digits, not all zero',
  'bad-address-checksum': 'breaks the EIP-55 checksum of its mixed case',
} as const;

/**
 * Reads the amount of a movement as it is kept. Refuses `amount-below-minimum` for nothing, and `amount-scale-exceeded`
 * both for more decimals than the asset has and for more than its contract on the chain has.
 */
export function movableAmount(asset: AssetId, amount: string): Money {
  const money = Money.parse(asset, amount);
  if (!money.isPositive()) refuse('amount-below-minimum', 'must be more than zero', 'amount');
  toOnChain(money);
  return money;
}
