import type { AssetId } from '@ponte/kernel';
import type { Hex } from './block.port';

/** What to sign, but for the sender's nonce and the fee. */
export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
  /** Gas limit, enough for this call with any arguments. */
  readonly gas: bigint;
}

export interface MintRequest {
  /** 32 bytes. The minter contract takes each reference once for ever. */
  readonly reference: Hex;
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** For a share (wBRLY): the most units of the asset behind it that these shares may cost, else the mint reverts. */
  readonly mostBacking?: bigint;
}

export interface TransferRequest {
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
}

export interface TokenSendRequest {
  /** 32 bytes. The custody contract takes each reference once for ever. */
  readonly reference: Hex;
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** Salts of the wallets to take from, in this order until the units are reached. */
  readonly wallets: readonly Hex[];
}

export interface RedemptionRequest {
  /** 32 bytes. The custody contract takes each reference once for ever. */
  readonly reference: Hex;
  readonly asset: AssetId;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** Of a share (wBRLY): the least units of the asset behind it that these shares must bring, else the call reverts. */
  readonly leastBacking?: bigint;
  /** Salts of the wallets to take from, in this order until the units are reached. */
  readonly wallets: readonly Hex[];
}

export interface CertificateSend {
  /** 32 bytes. The custody contract takes each reference once for ever. */
  readonly reference: Hex;
  /** 32 bytes: the reference of the certificate's mint, which is its token id. */
  readonly certificate: Hex;
  /** Salt of the wallet that holds it. */
  readonly wallet: Hex;
  readonly to: Hex;
}

/** That a certificate went from one address to another, lower-case. */
export interface CertificateMovement {
  readonly certificate: Hex;
  readonly from: Hex;
  readonly to: Hex;
}

/** The reward certificates of a chain. All of it refuses `asset-not-supported` where there are none. */
export interface CertificateChain {
  /** The token's id is the reference. */
  mintCall(reference: Hex, to: Hex): ContractCall;

  sendCall(movement: CertificateSend): ContractCall;

  /** Who has the certificate by the newest block, lower-case; null when it does not exist. */
  ownerOf(certificate: Hex): Promise<Hex | null>;

  /**
   * Whether the mined transaction moved the certificate so, by the logs of its receipt. A mint moves it from the zero
   * address.
   */
  moved(hash: Hex, movement: CertificateMovement): Promise<boolean>;
}
