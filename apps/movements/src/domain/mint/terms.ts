import type { DecimalText } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import { Money, assetOf, isUuid, parseEvmAddress, refuse, toOnChain } from '@ponte/kernel';

/** What is minted, for whom, and under which reference the contract takes it once. */
export interface MintTerms {
  readonly mintId: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** Lower-case address. */
  readonly to: string;
}

const NOBODY = `0x${'0'.repeat(40)}`;
const REFERENCE_DIGITS = 64;

/** The id itself, as 32 bytes: what the contract has taken can be read on the chain with nothing but the id. */
export function referenceOf(mintId: string): `0x${string}` {
  return `0x${mintId.replaceAll('-', '').padStart(REFERENCE_DIGITS, '0')}`;
}

/** The mint of an id has one transaction for ever. */
export const chainOfMint = (asset: AssetId): Chain =>
  assetOf(asset).chain ?? refuse('asset-not-supported', `${asset} is not a token`, 'asset');

/** Units of the contract. */
export const unitsOf = (asset: AssetId, amount: DecimalText): bigint => toOnChain(Money.stored(asset, amount));

/** Refuses what cannot be minted, and gives the terms in the form in which they are kept. */
export function acceptable(terms: MintTerms): MintTerms {
  const { mintId, asset, amount, to } = terms;
  if (!isUuid(mintId)) refuse('invalid-format', 'a mint id is a UUID', 'mint-id');
  assertMintable(asset);
  const money = Money.parse(asset, amount);
  if (!money.isPositive()) refuse('amount-below-minimum', 'nothing is minted for an amount of nothing', 'amount');
  toOnChain(money);
  const parsed = parseEvmAddress(to);
  if (!parsed.ok) return refuse(parsed.code, 'the receiver is not an EVM address', 'to');
  if (parsed.address === NOBODY) refuse('invalid-address', 'the zero address owns nothing', 'to');
  return { ...terms, amount: money.toString(), to: parsed.address };
}

/** Which tokens come into being by an order. USDC and USDT are somebody else's; a share needs a price that an order does not carry. */
function assertMintable(asset: AssetId): void {
  const { symbol } = assetOf(asset);
  switch (symbol) {
    case 'BRLV':
    case 'BRLY':
      return;
    case 'wBRLY':
    case 'USDC':
    case 'USDT':
    case 'BRL':
    case 'USD':
      refuse('asset-not-supported', `${asset} is not minted for orders`, 'asset');
  }
}
