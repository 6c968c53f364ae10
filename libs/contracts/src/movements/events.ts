import { event } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { DecimalText, Failure, Timestamp } from '../shared';

/** Stream `wallet-<walletId>`. */
export class WalletCreated extends event('WalletCreated')<{
  walletId: string; accountId: string; parentId: string | null; name: string; chain: Chain; address: string; assets: readonly AssetId[];
}> {}

export type WalletFact = WalletCreated;

/** Stream `mint-<mintId>`: new tokens for an address, once per reference. */
export class MintRequested extends event('MintRequested')<{
  mintId: string;
  /** The order that is served. */
  orderId: string;
  accountId: string;
  asset: AssetId;
  amount: DecimalText;
  to: string;
  /** bytes32 (0x hex) that the minter contract takes once. */
  reference: string;
}> {}
/** The chain transaction that carries it is broadcast. */
export class MintSubmitted extends event('MintSubmitted')<{ mintId: string; orderId: string; transactionId: string; txHash: string }> {}
/** Enough confirmations. */
export class MintConfirmed extends event('MintConfirmed')<{
  mintId: string; orderId: string; accountId: string; txHash: string; txTimestamp: Timestamp; confirmedAt: Timestamp;
}> {}
/** A confirmed revert: nothing was minted and nothing will be. */
export class MintFailed extends event('MintFailed')<{ mintId: string; orderId: string; accountId: string; failure: Failure }> {}

export type MintFact = MintRequested | MintSubmitted | MintConfirmed | MintFailed;

/** Stream `signerKey-<chain>_<address>`: the only allocator of nonces of a key on a chain. */
export class NonceAllocated extends event('NonceAllocated')<{ chain: Chain; address: string; nonce: number; transactionId: string }> {}

export type SignerKeyFact = NonceAllocated;

/** Stream `chainTransaction-<transactionId>`: intent, nonce, signed bytes, broadcast, confirmations. */
export class TransactionIntended extends event('TransactionIntended')<{
  transactionId: string; chain: Chain; from: string; to: string; callData: string; purpose: { readonly kind: 'mint'; readonly id: string };
}> {}
/** Stored before the first broadcast: after a crash the same bytes go out again. */
export class TransactionSigned extends event('TransactionSigned')<{ transactionId: string; chain: Chain; nonce: number; raw: string; txHash: string }> {}
export class TransactionBroadcast extends event('TransactionBroadcast')<{ transactionId: string; chain: Chain; txHash: string; broadcastAt: Timestamp }> {}
export class TransactionConfirmed extends event('TransactionConfirmed')<{
  transactionId: string; chain: Chain; txHash: string; blockNumber: string; blockHash: string; minedAt: Timestamp; confirmedAt: Timestamp;
}> {}
/** Mined and reverted, with enough confirmations. */
export class TransactionReverted extends event('TransactionReverted')<{ transactionId: string; chain: Chain; txHash: string; reason: string }> {}

export type ChainTransactionFact = TransactionIntended | TransactionSigned | TransactionBroadcast | TransactionConfirmed | TransactionReverted;
