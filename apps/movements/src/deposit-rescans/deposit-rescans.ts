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

/** Has a chain read again from a time that an operator gave, as after a restore of the log. */
export class DepositRescans {
  constructor(
    private readonly parts: Parts,
    /** Where a chain that was never read begins: with its first wallet. */
    private readonly earliest: (final: BlockId) => Promise<number>,
  ) {}

  /** The time; null when there is no request. */
  requested(): Promise<string | null> {
    return this.parts.cursors.rescanOf(this.parts.served.evm.chain);
  }

  /**
   * The block from which it is read, never behind the cursor. The block of the cursor itself may have been replaced,
   * since a person has looked.
   */
  async first(since: string, final: BlockId): Promise<number> {
    const { cursors, logger, served, settings, transfers } = this.parts;
    const { chain } = served.evm;
    const cursor = await cursors.of(chain);
    // Rejects while the views know less than the log, as after a restore without a rebuild.
    const earliest = await this.earliest(final);
    // A chain that forgets is short, and is read as a whole.
    const first =
      cursor === null || settings.chainsForget
        ? earliest
        : Math.min(afterBlock(cursor), await transfers.firstSince(Date.parse(since), final));
    logger.warn({ chain, since, cursor: cursor?.number, first }, 'an operator had a chain read again for deposits');
    return first;
  }

  /** The first page was read, and the cursor says where the scan goes on. */
  begun(since: string): Promise<void> {
    return this.parts.cursors.endRescan(this.parts.served.evm.chain, since);
  }
}
