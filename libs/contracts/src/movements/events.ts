import { event } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { DecimalText, Failure, Timestamp } from '../shared';

/** Stream `wallet-<walletId>`. */
export class WalletCreated extends event('WalletCreated')<{
  walletId: string; accountId: string; parentId: string | null; name: string; chain: Chain; address: string; assets: readonly AssetId[];
  createdAt: Timestamp;
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
/** A confirmed revert, or a nonce that went to another transaction for good: nothing was minted and nothing will be. */
export class MintFailed extends event('MintFailed')<{ mintId: string; orderId: string; accountId: string; failure: Failure }> {}

export type MintFact = MintRequested | MintSubmitted | MintConfirmed | MintFailed;

/** Stream `signerKey-<chain>_<address>`: the only allocator of nonces of a key on a chain. */
export class NonceAllocated extends event('NonceAllocated')<{ chain: Chain; address: string; nonce: number; transactionId: string }> {}

export type SignerKeyFact = NonceAllocated;

/** Stream `chainTransaction-<transactionId>`: intent, signed bytes, broadcast, end. Its nonce is in the stream of the key. */
export class TransactionIntended extends event('TransactionIntended')<{
  transactionId: string;
  chain: Chain;
  /** Address of the key that signs. */
  from: string;
  to: string;
  callData: string;
  /** Gas limit, a whole number in decimal. */
  gas: string;
  purpose: { readonly kind: 'mint'; readonly id: string };
}> {}
/** Stored before the first broadcast: after a crash the same bytes go out again. */
export class TransactionSigned extends event('TransactionSigned')<{
  transactionId: string; chain: Chain; from: string; nonce: number; raw: string; txHash: string;
}> {}
/** A node said that it holds the bytes. */
export class TransactionBroadcast extends event('TransactionBroadcast')<{ transactionId: string; chain: Chain; txHash: string; broadcastAt: Timestamp }> {}
/**
 * The effect is on the chain, with enough confirmations. `txHash` is what brought it about: nearly always the signed bytes, but
 * another transaction when the chain had taken the reference before (the log was put back to an earlier state).
 */
export class TransactionConfirmed extends event('TransactionConfirmed')<{
  transactionId: string; chain: Chain; txHash: string; blockNumber: string; blockHash: string; minedAt: Timestamp; confirmedAt: Timestamp;
}> {}
/** Mined and reverted, with enough confirmations. */
export class TransactionReverted extends event('TransactionReverted')<{ transactionId: string; chain: Chain; txHash: string; reason: string }> {}
/** Another transaction has used the nonce, at finality: these bytes can never be mined. */
export class TransactionSuperseded extends event('TransactionSuperseded')<{ transactionId: string; chain: Chain; txHash: string; nonce: number }> {}

export type ChainTransactionFact =
  | TransactionIntended | TransactionSigned | TransactionBroadcast | TransactionConfirmed | TransactionReverted | TransactionSuperseded;
