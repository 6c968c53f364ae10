import type { DecimalText, MintPurpose, TransferState } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money, assetOf, isUuid, parseEvmAddress, pick, refuse, toOnChain } from '@ponte/kernel';
import type { IntendedTransaction } from '../transactions/chain-transaction.state';

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

/** Refuses what cannot be minted, and gives the terms in the form in which they are kept. */
export function acceptableMint(terms: MintPurpose): MintPurpose {
  const { id, asset, amount, to, mostBrl } = terms;
  if (!isUuid(id)) refuse('invalid-format', 'a mint id is a UUID', 'mint-id');
  assertMintable(asset, mostBrl);
  const money = Money.parse(asset, amount);
  if (!money.isPositive()) refuse('amount-below-minimum', 'nothing is minted for an amount of nothing', 'amount');
  toOnChain(money);
  const parsed = parseEvmAddress(to);
  if (!parsed.ok) return refuse(parsed.code, 'the receiver is not an EVM address that someone could own', 'to');
  return {
    ...pick(terms, 'kind', 'id', 'orderId', 'accountId', 'asset'),
    amount: money.toString(),
    to: parsed.address,
    ...(mostBrl === undefined ? {} : { mostBrl }),
  };
}

/** Which tokens come into being by an order. USDC and USDT are issued by other companies. */
function assertMintable(asset: AssetId, mostBrl: DecimalText | undefined): void {
  const { symbol } = assetOf(asset);
  switch (symbol) {
    case 'BRLV':
    case 'BRLY':
      return;
    case 'wBRLY':
      // A share has a price, so a mint without a limit could cost more than the order paid.
      if (mostBrl === undefined) refuse('asset-not-supported', `a mint of ${asset} must say what it may cost`, 'asset');
      return;
    case 'USDC':
    case 'USDT':
    case 'BRL':
    case 'USD':
      refuse('asset-not-supported', `${asset} is not minted for orders`, 'asset');
  }
}

/** A mint is what became of its transaction: its states are those of a transfer. */
const STATES: Readonly<Record<IntendedTransaction['status'], TransferState>> = {
  intended: 'created',
  signed: 'pending',
  confirmed: 'completed',
  reverted: 'failed',
  superseded: 'failed',
  'given-up': 'failed',
  // What was completed stays so: the house bears what a reorg took back.
  reorged: 'completed',
  lost: 'completed',
};

/** How far a movement is, by its transaction. */
export const transferStateOf = ({ status }: IntendedTransaction): TransferState => STATES[status];
