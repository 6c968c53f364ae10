import type { Logger } from 'pino';
import type { BlockId } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import type { DepositCursors } from '../token-deposits/deposit-cursors.read-model';
import type { DepositTransfers } from '../token-deposits/deposit-transfers.port';
import { afterBlock } from '../token-deposits/first-deposit-block';

interface Parts {
  readonly served: ServedChain;
  readonly settings: Pick<MovementsSettings, 'chainsForget'>;
  readonly transfers: DepositTransfers;
  readonly cursors: DepositCursors;
  readonly logger: Logger;
}

/** Reads a chain again from a time that an operator gave, for example after a restore of the log. */
export class DepositRescans {
  constructor(
    private readonly parts: Parts,
    /** The first block of a chain that was never read: that of its first wallet. */
    private readonly earliest: (final: BlockId) => Promise<number>,
  ) {}

  /** The requested time; null when there is no request. */
  requested(): Promise<string | null> {
    return this.parts.cursors.rescanOf(this.parts.served.evm.chain);
  }

  /**
   * The first block to read, never after the cursor. The cursor's block need not be in the chain any more: the
   * operator's request confirms that its replacement was examined.
   */
  async first(since: string, final: BlockId): Promise<number> {
    const { cursors, logger, served, settings, transfers } = this.parts;
    const { chain } = served.evm;
    const cursor = await cursors.of(chain);
    // Rejects while the read models are behind the log, as after a restore without a rebuild.
    const earliest = await this.earliest(final);
    // A chain that may lose its blocks is short, so it is read from the start.
    const first =
      cursor === null || settings.chainsForget
        ? earliest
        : Math.min(afterBlock(cursor), await transfers.firstSince(Date.parse(since), final));
    logger.warn({ chain, since, cursor: cursor?.number, first }, 'an operator had a chain read again for deposits');
    return first;
  }

  /** Ends the request once the first page was read: from then on, the cursor is the place of the scan. */
  begun(since: string): Promise<void> {
    return this.parts.cursors.endRescan(this.parts.served.evm.chain, since);
  }
}
