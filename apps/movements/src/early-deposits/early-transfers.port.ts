import type { BlockId, Hex } from '../chain/block.port';
import type { TransferLog } from '../transfer-logs/transfer-logs.port';

/** What a wallet is and has at a block. */
export interface Holding {
  /** Units of all known tokens together. */
  readonly units: bigint;
  /** A wallet that is not deployed has never sent anything. */
  readonly isDeployed: boolean;
}

/**
 * What the nodes of a chain agree on about addresses that have just become wallets. Both reads reject with
 * `Unavailable` as those of `DepositTransfers` do.
 */
export interface EarlyTransfers {
  /** What each address holds at that final block, in the order of `holders`. */
  held(block: BlockId, holders: readonly Hex[]): Promise<readonly Holding[]>;
  /**
   * All transfers to these addresses, deposits or not, in one page of at most `most` blocks. The page ends with block
   * `last`, and `first` is its first block. `tip` is an agreed block at or above `last`.
   */
  before(
    page: { readonly last: number; readonly most: number },
    tip: BlockId,
    recipients: readonly Hex[],
  ): Promise<{ readonly first: number; readonly transfers: readonly TransferLog[] }>;
}
