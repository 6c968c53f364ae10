import type { TokenMovementPurpose } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import { Money, assetOf, isUuid, parseEvmAddress, pick, refuse, toOnChain } from '@ponte/kernel';

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

/** Refuses what cannot be moved, and gives the terms in the form in which they are kept. */
export function acceptableMovement(terms: TokenMovementPurpose): TokenMovementPurpose {
  const { id, owner, asset, amount, walletIds, to } = terms;
  if (!isUuid(id)) refuse('invalid-format', 'must be a UUID', 'movement-id');
  chainOfToken(asset);
  if (walletIds.length === 0) refuse('wallet-not-found', 'a movement names a wallet to take from', 'source-wallet-id');
  return {
    ...pick(terms, 'kind', 'id', 'accountId', 'asset', 'from', 'receiver', 'walletIds'),
    owner: { kind: owner.kind, id: owner.id },
    amount: movableAmount(asset, amount).toString(),
    to: addressAt('destination', to),
  };
}
