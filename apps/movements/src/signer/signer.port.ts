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

export interface SignedTransaction {
  /** The bytes to store before they are broadcast, and to broadcast again after a crash. */
  readonly raw: Hex;
  /** The transaction's hash, known before anybody has seen the bytes. */
  readonly hash: Hex;
}

/** What a signature would allow, before nonce and fees are known. */
export type SigningIntent = Pick<UnsignedTransaction, 'chainId' | 'to' | 'data' | 'value'>;

/**
 * Keeps the keys. No private key ever leaves it, and nothing but this port can use one.
 * Rejects with `Unavailable` ('chain-unavailable') when the key store cannot be reached.
 */
export interface KeyStore {
  /** Makes the key of that id, once: called again, it answers the same address. Durable when it resolves. */
  createKey(keyId: string): Promise<Hex>;

  /** The address of a created key, lower-case. */
  addressOf(keyId: string): Promise<Hex>;

  /**
   * Signs without reading or keeping nonces; the same transaction gives the same bytes in a store that signs
   * deterministically.
   */
  signTransaction(keyId: string, transaction: UnsignedTransaction): Promise<SignedTransaction>;
}

/** The key store behind the policy of what may be signed. Every rejection by the policy is a `SigningRefused`. */
export interface Signer extends KeyStore {
  /**
   * Asks before a nonce is taken, so that what is refused leaves no gap, and reserves the amount: what was allowed can
   * be signed, again with other nonces and fees, within the hour.
   */
  authorize(keyId: string, intent: SigningIntent): Promise<void>;
}

export const SIGNER = Symbol('Signer');
