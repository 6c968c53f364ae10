import type { AssetId } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';

/** A dynamic-fee (EIP-1559) transaction, complete: the caller has decided nonce, gas and fees. */
export interface UnsignedTransaction {
  /** EIP-155 id; a signature without one could be replayed on another chain. */
  readonly chainId: number;
  readonly nonce: number;
  /** Absent when a contract is deployed. */
  readonly to?: Hex;
  readonly data?: Hex;
  /** Native coin in wei. */
  readonly value?: bigint;
  /** Gas limit. */
  readonly gas: bigint;
  /** Wei per gas. */
  readonly maxFeePerGas: bigint;
  /** Wei per gas. */
  readonly maxPriorityFeePerGas: bigint;
}

/** Wei per gas. */
export type Fees = Pick<UnsignedTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

export interface SignedTransaction {
  /** The bytes to store before they are broadcast, and to broadcast again after a crash. */
  readonly raw: Hex;
  /** The transaction's hash, known before the bytes are broadcast. */
  readonly hash: Hex;
}

/** The content of a signature request, before nonce and fees are known. */
export type SigningIntent = Pick<UnsignedTransaction, 'chainId' | 'to' | 'data' | 'value'>;

/**
 * Holds the keys. A private key never leaves the store, and only this port can use it. Rejects with `Unavailable`
 * ('chain-unavailable') when the keystore cannot be reached.
 */
export interface Keystore {
  /** Creates the key with that id, or returns the address of the existing one. Durable when it resolves. */
  createKey(keyId: string): Promise<Hex>;

  /** The address of a created key, lower-case. */
  addressOf(keyId: string): Promise<Hex>;

  /**
   * Signs without reading or storing nonces. A store that signs deterministically returns the same bytes for the same
   * transaction.
   */
  signTransaction(keyId: string, transaction: UnsignedTransaction): Promise<SignedTransaction>;

  /** The address, lower-case, whose key has signed these bytes. Rejects with an Error when they are no transaction. */
  senderOf(raw: Hex): Promise<Hex>;
}

/** A keystore behind the signing policy. Every rejection by the policy is a `SigningRefused`. */
export interface Signer extends Keystore {
  /**
   * Checks the policy before a nonce is allocated, so that a refusal leaves no gap, and reserves the amount: within the
   * hour, what was allowed can be signed, also repeatedly with other nonces and fees.
   *
   * @param isNumbered whether it was allowed and got its nonce before, by another process or before the last start. It
   *   would block all later ones of its key, so it may use a second hourly limit
   */
  authorize(keyId: string, intent: SigningIntent, isNumbered?: boolean): Promise<void>;

  /**
   * Signs the transaction in `raw` again, with other fees. No limit applies: the key has signed the same call with the
   * same nonce before, and only one of them can be mined. A limit that is lower or exhausted by now would otherwise
   * keep the first transaction of a key, and with it all later ones, from being mined. Bytes that the key has not
   * signed are refused.
   */
  signReplacement(keyId: string, raw: Hex, fees: Fees): Promise<SignedTransaction>;

  /**
   * Counts bytes that were signed `ageMs` ago, by another process or before the last start, towards the limit of the
   * hour. Bytes that are not one of our calls do not count.
   */
  count(raw: Hex, ageMs: number): void;

  /** Whether the policy lets one transaction move this many units of a token. */
  allowsAmount(asset: AssetId, units: bigint): boolean;
}

export const SIGNER = Symbol('Signer');
