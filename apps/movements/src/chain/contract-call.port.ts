import type { AssetId } from '@ponte/kernel';
import type { Hex } from './block.port';

/** What to sign, without the sender's nonce and the fee. */
export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
  /** Gas limit, enough for this call with any arguments. */
  readonly gas: bigint;
}

export interface MintRequest {
  /** 32 bytes. The minter contract accepts each reference only once. */
  readonly reference: Hex;
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** For a share (wBRLY): units of the underlying asset above which the mint reverts. */
  readonly maxBacking?: bigint;
}

export interface TransferRequest {
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
}

export interface TokenSendRequest {
  /** 32 bytes. The custody contract accepts each reference only once. */
  readonly reference: Hex;
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** Salts of the wallets to take from, in this order until the units are reached. */
  readonly wallets: readonly Hex[];
}

export interface RedemptionRequest {
  /** 32 bytes. The custody contract accepts each reference only once. */
  readonly reference: Hex;
  readonly asset: AssetId;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** For a share (wBRLY): units of the underlying asset below which the redemption reverts. */
  readonly minBacking?: bigint;
  /** Salts of the wallets to take from, in this order until the units are reached. */
  readonly wallets: readonly Hex[];
}

/** A movement of tokens by one of our contracts, which logs it with its reference. */
export type TokenRequest =
  | ({ readonly kind: 'mint' } & MintRequest)
  | ({ readonly kind: 'redemption' } & RedemptionRequest)
  | ({ readonly kind: 'token-movement' } & TokenSendRequest);

export interface CertificateSend {
  /** 32 bytes. The custody contract accepts each reference only once. */
  readonly reference: Hex;
  /** 32 bytes: the reference of the certificate's mint, which is its token id. */
  readonly certificate: Hex;
  /** Salt of the wallet that holds it. */
  readonly wallet: Hex;
  readonly to: Hex;
}

/** A movement of a certificate from one address to another, lower-case. */
export interface CertificateMovement {
  readonly certificate: Hex;
  readonly from: Hex;
  readonly to: Hex;
}

/** The reward certificates of a chain. Every method refuses with `asset-not-supported` on a chain without them. */
export interface CertificateChain {
  /** The reference becomes the id of the token. */
  mintCall(reference: Hex, to: Hex): ContractCall;

  sendCall(movement: CertificateSend): ContractCall;

  /** The owner of the certificate at the newest block, lower-case; null when it does not exist. */
  ownerOf(certificate: Hex): Promise<Hex | null>;

  /**
   * Whether the mined transaction made this movement, according to the logs of its receipt. A mint moves from the zero
   * address. Rejects with `Unavailable` when no node has the receipt.
   */
  moved(hash: Hex, movement: CertificateMovement): Promise<boolean>;
}
