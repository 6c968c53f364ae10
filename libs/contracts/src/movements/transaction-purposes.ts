import type { AssetId } from '@ponte/kernel';
import type { DecimalText } from '../shared';

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
