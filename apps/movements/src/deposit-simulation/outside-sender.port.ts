import type { AssetId } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';

/**
 * What becomes of a simulated transfer from outside; all but the first two are no deposits. `listed-sender`: the sender
 * is the sandbox's sanctioned address, on an anvil alone.
 */
export type OutsideFate = 'transfer' | 'listed-sender' | 'nothing-sent' | 'look-alike' | 'reverted' | 'dropped';

export interface OutsideTransfer {
  /** The same one again is sent once. */
  readonly id: string;
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the token's contract. */
  readonly units: bigint;
  readonly fate: OutsideFate;
}

/** Sandbox only: someone outside our custody who has tokens. */
export interface OutsideSender {
  /**
   * Answers once the transaction is mined (or dropped). Tokens that others issue are always there; of tokens that we
   * issue there is only what was
   * sent to the outsider before: `insufficient-balance` otherwise. `asset-not-supported` where chains are neither local
   * nor simulated.
   */
  send(transfer: OutsideTransfer): Promise<{ readonly txHash: Hex; readonly from: Hex }>;
}

export const OUTSIDE_SENDER = Symbol('OutsideSender');
