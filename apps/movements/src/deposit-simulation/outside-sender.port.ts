import type { AssetId } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';

/**
 * The outcome of a simulated transfer from outside. Only the first two are deposits. With `listed-sender`, the sender
 * is the sandbox's sanctioned address, which works only on anvil.
 */
export type OutsideFate = 'transfer' | 'listed-sender' | 'nothing-sent' | 'look-alike' | 'reverted' | 'dropped';

export interface OutsideTransfer {
  /** A transfer with the same id is sent only once. */
  readonly id: string;
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the token's contract. */
  readonly units: bigint;
  readonly fate: OutsideFate;
}

/** Sandbox only: a sender of tokens outside our custody. */
export interface OutsideSender {
  /**
   * Resolves once the transaction is mined or dropped. Tokens that other companies issue are always available. Tokens
   * that we issue must have been sent to the outside address before: `insufficient-balance` otherwise. Refuses with
   * `asset-not-supported` where chains are neither local nor simulated.
   */
  send(transfer: OutsideTransfer): Promise<{ readonly txHash: Hex; readonly from: Hex }>;
}

export const OUTSIDE_SENDER = Symbol('OutsideSender');
