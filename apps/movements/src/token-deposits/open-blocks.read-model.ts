import type { IncomingTransfersEvent } from '@ponte/contracts';
import type { Recorded, StreamFolds } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { IncomingTransfers } from './incoming-transfers.decider';

/** A block with deposits. Members are the columns of the table. */
export interface IncomingBlockRow {
  readonly id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly chain: Chain;
  readonly block_number: number;
  readonly block_hash: string;
  readonly confirmed: boolean;
  /** 1 while any of its deposits may vanish, null afterwards, so that its index stays small. */
  readonly unfinished: number | null;
}

/** Where the rows lie. */
export interface IncomingBlocksTable {
  page(request: {
    where: Partial<IncomingBlockRow>;
    page: { limit: number; cursor: null; createdFrom: null; createdTo: null };
  }): Promise<{ items: readonly IncomingBlockRow[] }>;
}
export const INCOMING_BLOCKS_TABLE = Symbol('IncomingBlocksTable');

/** The rows of the blocks that changed in a run of the log. */
export async function incomingBlockRows(
  folds: StreamFolds<IncomingTransfers, IncomingTransfersEvent>,
  events: readonly Recorded[],
): Promise<IncomingBlockRow[]> {
  return [...(await folds.add(events))].flatMap(
    ([
      id,
      {
        state: { block, minedAt, open, confirmed },
        revision,
      },
    ]) =>
      block === null
        ? []
        : [
            {
              id,
              revision,
              created_at: minedAt,
              chain: block.chain,
              block_number: Number(block.blockNumber),
              block_hash: block.blockHash,
              confirmed,
              unfinished: open.length > 0 ? 1 : null,
            },
          ],
  );
}
