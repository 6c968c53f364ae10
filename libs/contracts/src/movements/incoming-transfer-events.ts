import { event } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';

/** One Transfer log of a known token to a wallet of an account, that no transaction of ours made. */
export interface IncomingTransfer {
  /** Of the deposit: derived from chain, block hash, transaction, log index and how often the block was seen. */
  readonly depositId: string;
  readonly accountId: string;
  readonly parentId: string | null;
  readonly walletId: string;
  readonly asset: AssetId;
  /** At the scale of the asset in the API. */
  readonly amount: DecimalText;
  /** Lower-case addresses. */
  readonly from: string;
  readonly to: string;
  readonly txHash: string;
  readonly logIndex: number;
}

/** The block that the transfers are in. */
export interface IncomingBlock {
  readonly chain: Chain;
  readonly blockNumber: string;
  readonly blockHash: string;
}

/**
 * Stream `incomingTransfers-<chain>_<block hash>`. The block is in the chain and not known to be final. At most 100
 * transfers an event.
 */
export class IncomingTransfersSeen extends event('IncomingTransfersSeen')<
  IncomingBlock & {
    minedAt: Timestamp;
    /** From 1; the block of a reorg that is undone is seen again. */
    sighting: number;
    transfers: readonly IncomingTransfer[];
  }
> {}

/** The block has the confirmations of its chain. */
export class IncomingTransfersConfirmed extends event('IncomingTransfersConfirmed')<
  IncomingBlock & { depositIds: readonly string[] }
> {}

/** The block is final, which two nodes say where there are two. */
export class IncomingTransfersFinalized extends event('IncomingTransfersFinalized')<
  IncomingBlock & { depositIds: readonly string[] }
> {}

/** The block is not in the chain any more, or it does not have these transfers. */
export class IncomingTransfersReorged extends event('IncomingTransfersReorged')<
  IncomingBlock & { depositIds: readonly string[] }
> {}

export type IncomingTransfersEvent =
  IncomingTransfersSeen | IncomingTransfersConfirmed | IncomingTransfersFinalized | IncomingTransfersReorged;
