import { event } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';

/** Stream `wallet-<walletId>`. The address follows from the id and the custody contract of the chain. */
export class WalletCreated extends event('WalletCreated')<{
  walletId: string;
  accountId: string;
  parentId: string | null;
  name: string;
  chain: Chain;
  address: string;
  assets: readonly AssetId[];
  uiEnabled: boolean;
  metadata: Readonly<Record<string, string>>;
  createdAt: Timestamp;
}> {}

/** Metadata and visibility as they are from here on. */
export class WalletMetadataChanged extends event('WalletMetadataChanged')<{
  walletId: string;
  accountId: string;
  uiEnabled: boolean;
  metadata: Readonly<Record<string, string>>;
  changedAt: Timestamp;
}> {}

export type WalletEvent = WalletCreated | WalletMetadataChanged;

/**
 * Stream `walletSlot-<id>`, one for each account and chain: the wallet may be created. An account has a limited number
 * of wallets on a chain, and only this stream counts them without a race.
 */
export class WalletSlotTaken extends event('WalletSlotTaken')<{
  accountId: string;
  chain: Chain;
  walletId: string;
  takenAt: Timestamp;
}> {}

/**
 * Stream `signerKey-<chain>_<address>`: the only allocator of nonces of a key on a chain. One event for all that are
 * sent together.
 */
export class NoncesAllocated extends event('NoncesAllocated')<{
  chain: Chain;
  address: string;
  /** The nonce of the first; the others follow without gaps. */
  first: number;
  transactionIds: readonly string[];
}> {}

export type SignerKeyEvent = NoncesAllocated;

/**
 * New tokens for an address, for an order: once, for the minter contract takes a reference that derives from `id` once.
 */
export interface MintPurpose {
  readonly kind: 'mint';
  /** The mint's id, which derives from the order's. */
  readonly id: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** Lower-case address. */
  readonly to: string;
  /** Of vault shares only: the most BRL that backing them may cost. */
  readonly mostBrl?: DecimalText;
}

/**
 * Tokens out of wallets in our custody that are burned for an order, once. Vault shares are redeemed first, and what
 * they bring is burned.
 */
export interface RedemptionPurpose {
  readonly kind: 'redemption';
  readonly id: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** The wallets that it is taken from, in this order until the amount is reached. */
  readonly walletIds: readonly string[];
  /** Of vault shares: the least BRL that they must bring. Null for any other token. */
  readonly leastBrl: DecimalText | null;
}

/** The resource that a token movement belongs to. It has placed a hold before it asks for the movement. */
export interface MovementOwner {
  readonly kind: 'transfer' | 'withdrawal' | 'order';
  readonly id: string;
}

/** An account whose wallet with us is the destination of a movement. */
export interface MovementReceiver {
  readonly accountId: string;
  readonly parentId: string | null;
  readonly walletId: string;
}

/** Tokens out of wallets in our custody, once: the custody contract takes the reference that derives from `id` once. */
export interface TokenMovementPurpose {
  readonly kind: 'token-movement';
  /** The movement's id, a UUID of its owner's choice: the same request again is the same movement. */
  readonly id: string;
  readonly owner: MovementOwner;
  readonly accountId: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** The wallets that it is taken from, in this order until the amount is reached. */
  readonly walletIds: readonly string[];
  /** Address of the first of them, lower-case. */
  readonly from: string;
  /** Lower-case address. */
  readonly to: string;
  /** Null when `to` is outside our custody. */
  readonly receiver: MovementReceiver | null;
}

/** The token of a reward certificate, for a wallet, once: its id on the chain is the reference. */
export interface CertificateMintPurpose {
  readonly kind: 'certificate-mint';
  /** The certificate's id. */
  readonly id: string;
  readonly accountId: string;
  /** Lower-case address. */
  readonly to: string;
}

/**
 * A reward certificate out of a wallet in our custody, once: the custody contract takes the reference that derives from
 * `id` once.
 */
export interface NftMovementPurpose {
  readonly kind: 'nft-movement';
  /** The NFT transfer's id. */
  readonly id: string;
  readonly accountId: string;
  readonly certificateId: string;
  readonly walletId: string;
  /** Address of that wallet, lower-case. */
  readonly from: string;
  /** Lower-case address. */
  readonly to: string;
}

export type CertificatePurpose = CertificateMintPurpose | NftMovementPurpose;

/**
 * What a transaction is sent for. It has no record besides that of its transaction: what became of the one became of
 * the other.
 */
export type TransactionPurpose = MintPurpose | RedemptionPurpose | TokenMovementPurpose | CertificatePurpose;

/** The purpose of a transaction, as its final event states it for the service that requested it. */
export type ServedPurpose =
  | Pick<MintPurpose | RedemptionPurpose, 'kind' | 'id' | 'orderId' | 'accountId'>
  | TokenMovementPurpose
  | CertificatePurpose;

/**
 * Stream `chainTransaction-<transactionId>`: intent, signed bytes, end. Its nonce is in the stream of the key. That a
 * node has taken the bytes is not recorded: they go out again until the chain has mined them, so it would decide
 * nothing.
 */
export class TransactionIntended extends event('TransactionIntended')<{
  transactionId: string;
  chain: Chain;
  /** Address of the key that signs. */
  from: string;
  purpose: TransactionPurpose;
  /** Its effect is looked for in the blocks from here on. */
  intendedAt: Timestamp;
  /**
   * The lost transaction whose effect it brings about after all, under the same reference. Its resource is completed
   * already, so it ends restored or lost.
   */
  restores?: string;
}> {}
/**
 * The treasury holds enough for this payment: from here on it is signed, and never given up. Of payments of the
 * treasury alone.
 */
export class TransactionFunded extends event('TransactionFunded')<{
  transactionId: string;
  chain: Chain;
  fundedAt: Timestamp;
}> {}
/** Nothing was signed in time, and nothing will be. */
export class TransactionGivenUp extends event('TransactionGivenUp')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  reason: 'liquidity-unavailable';
  givenUpAt: Timestamp;
}> {}
/** Stored before the first broadcast: after a crash the same bytes go out again. Fees are wei for each unit of gas. */
export class TransactionSigned extends event('TransactionSigned')<{
  transactionId: string;
  chain: Chain;
  from: string;
  nonce: number;
  raw: string;
  txHash: string;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
  /**
   * Of a movement of tokens or of a certificate: its owner is pending from here on, under this hash. Nothing waits for
   * the hash of a mint.
   */
  purpose?: TokenMovementPurpose | NftMovementPurpose;
}> {}
/**
 * Other bytes for the same intent and nonce, with both fees raised. Whichever hash of the intent is mined first counts.
 */
export class TransactionFeeRaised extends event('TransactionFeeRaised')<{
  transactionId: string;
  chain: Chain;
  from: string;
  nonce: number;
  raw: string;
  txHash: string;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
  /** Hash of the bytes whose fees were raised. */
  replaces: string;
  /** As in {@link TransactionSigned}: its owner shows this hash from here on. */
  purpose?: TokenMovementPurpose | NftMovementPurpose;
}> {}
/**
 * The effect is on the chain, with enough confirmations. `txHash` is what brought it about: nearly always one of the
 * signed bytes, but another transaction when the chain had taken the reference before (the log was put back to an
 * earlier state).
 */
export class TransactionConfirmed extends event('TransactionConfirmed')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  txHash: string;
  blockNumber: string;
  blockHash: string;
  minedAt: Timestamp;
  confirmedAt: Timestamp;
  from: string;
  /** Null when another transaction brought it about. */
  nonce: number | null;
  /** Whether the block was known to be final. If not, it is watched until it is. */
  final: boolean;
}> {}
/** Mined and reverted in a final block: nothing else happened, and nothing will. */
export class TransactionReverted extends event('TransactionReverted')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  txHash: string;
  reason: string;
}> {}
/** Another transaction has used the nonce, at finality: these bytes can never be mined. */
export class TransactionSuperseded extends event('TransactionSuperseded')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  txHash: string;
  nonce: number;
}> {}
/**
 * A confirmed transaction is in no block any more. What it was for stays completed, the house bears the loss and the
 * account is frozen. The bytes go out again, until the transaction is restored or lost.
 */
export class ReorgedAfterCompletion extends event('ReorgedAfterCompletion')<{
  transactionId: string;
  chain: Chain;
  purpose: TransactionPurpose;
  from: string;
  nonce: number;
  /** What had been confirmed, and where. */
  txHash: string;
  blockNumber: string;
  blockHash: string;
  detectedAt: Timestamp;
}> {}
/** After a reorg, the effect is on the chain again with enough confirmations. */
export class TransactionRestored extends event('TransactionRestored')<{
  transactionId: string;
  chain: Chain;
  purpose: TransactionPurpose;
  from: string;
  nonce: number | null;
  txHash: string;
  blockNumber: string;
  blockHash: string;
  minedAt: Timestamp;
  restoredAt: Timestamp;
  final: boolean;
}> {}
/**
 * After a reorg, a final block says that the bytes can have no effect any more: the loss stays with the house until an
 * operator has it sent again.
 */
export class TransactionLost extends event('TransactionLost')<{
  transactionId: string;
  chain: Chain;
  purpose: TransactionPurpose;
  txHash: string;
  reason: string;
}> {}

export type ChainTransactionEvent =
  | TransactionIntended
  | TransactionFunded
  | TransactionGivenUp
  | TransactionSigned
  | TransactionFeeRaised
  | TransactionConfirmed
  | TransactionReverted
  | TransactionSuperseded
  | ReorgedAfterCompletion
  | TransactionRestored
  | TransactionLost;

/**
 * Stream `keyFinality-<chain>_<address>`: every confirmed transaction of the key with a nonce under `below` is in the
 * final history of the chain.
 */
export class NoncesFinalized extends event('NoncesFinalized')<{
  chain: Chain;
  address: string;
  below: number;
  blockNumber: string;
  blockHash: string;
}> {}

export type KeyFinalityEvent = NoncesFinalized;
