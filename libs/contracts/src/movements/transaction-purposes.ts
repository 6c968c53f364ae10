import type { AssetId } from '@ponte/kernel';
import type { DecimalText } from '../shared';

/**
 * Tokens that are minted to an address for an order, once: the minter contract accepts the reference derived from `id`
 * once.
 */
export interface MintPurpose {
  readonly kind: 'mint';
  /** Id of the mint, derived from the id of the order. */
  readonly id: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** Lower-case address. */
  readonly to: string;
  /** Vault shares only: the maximum that backing them may cost, in BRL. */
  readonly maxBrl?: DecimalText;
}

/**
 * Tokens in our custody that are burned for an order, once. Vault shares are redeemed first, and the proceeds are
 * burned.
 */
export interface RedemptionPurpose {
  readonly kind: 'redemption';
  readonly id: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** The source wallets, used in this order until the amount is reached. */
  readonly walletIds: readonly string[];
  /** Vault shares: the minimum that they must yield, in BRL. Null for any other token. */
  readonly minBrl: DecimalText | null;
}

/**
 * The resource that a token movement belongs to. It places a hold before it requests the movement. `suspense`: a
 * deposit whose tokens are in suspense and in no balance, so nothing is held.
 */
export interface MovementOwner {
  readonly kind: 'transfer' | 'withdrawal' | 'order' | 'suspense';
  readonly id: string;
}

/** The account whose wallet in our custody is the destination of a movement. */
export interface MovementReceiver {
  readonly accountId: string;
  readonly parentId: string | null;
  readonly walletId: string;
}

/**
 * Tokens that are sent from wallets in our custody, once: the custody contract accepts the reference derived from `id`
 * once.
 */
export interface TokenMovementPurpose {
  readonly kind: 'token-movement';
  /** Id of the movement: a UUID chosen by its owner. A request with the same id is the same movement. */
  readonly id: string;
  readonly owner: MovementOwner;
  readonly accountId: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** The source wallets, used in this order until the amount is reached. */
  readonly walletIds: readonly string[];
  /** Lower-case address of the first source wallet. */
  readonly from: string;
  /** Lower-case address. */
  readonly to: string;
  /** The receiving account; null if `to` is outside our custody. */
  readonly receiver: MovementReceiver | null;
}

/** The token of a reward certificate that is minted to a wallet, once: its token id is the reference. */
interface CertificateMintPurpose {
  readonly kind: 'certificate-mint';
  /** The certificate's id. */
  readonly id: string;
  readonly accountId: string;
  /** Lower-case address. */
  readonly to: string;
}

/**
 * A reward certificate that is sent from a wallet in our custody, once: the custody contract accepts the reference
 * derived from `id` once.
 */
export interface NftMovementPurpose {
  readonly kind: 'nft-movement';
  /** Id of the NFT transfer. */
  readonly id: string;
  readonly accountId: string;
  readonly certificateId: string;
  readonly walletId: string;
  /** Lower-case address of that wallet. */
  readonly from: string;
  /** Lower-case address. */
  readonly to: string;
}

export type CertificatePurpose = CertificateMintPurpose | NftMovementPurpose;

/** What a transaction is sent for. A purpose has no stream of its own: its outcome is that of the transaction. */
export type TransactionPurpose = MintPurpose | RedemptionPurpose | TokenMovementPurpose | CertificatePurpose;

/** The purpose of a transaction, as its final event states it for the service that requested it. */
export type ServedPurpose =
  | Pick<MintPurpose | RedemptionPurpose, 'kind' | 'id' | 'orderId' | 'accountId'>
  | TokenMovementPurpose
  | CertificatePurpose;
