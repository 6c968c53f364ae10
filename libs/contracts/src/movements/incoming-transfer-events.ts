import { event } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';

/** A Transfer log of a known token to a wallet of an account, from a transaction that is not ours. */
export interface IncomingTransfer {
  /** Id of the deposit, derived from chain, block hash, transaction, log index and sighting. */
  readonly depositId: string;
  readonly accountId: string;
  readonly parentId: string | null;
  readonly walletId: string;
  readonly asset: AssetId;
  /** Decimal string with the decimal places that the API uses for the asset. */
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
 * Stream `incomingTransfers-<chain>_<block hash>`: transfers were found in a block of the chain. At most 100 transfers
 * per event.
 */
export class IncomingTransfersSeen extends event('IncomingTransfersSeen')<
  IncomingBlock & {
    minedAt: Timestamp;
    /** Counts from 1. It increases when a reorg removed the block and the block returns. */
    sighting: number;
    transfers: readonly IncomingTransfer[];
  }
> {}

/** The block has the number of confirmations that its chain requires. */
export class IncomingTransfersConfirmed extends event('IncomingTransfersConfirmed')<
  IncomingBlock & { depositIds: readonly string[] }
> {}

/** The block is final. If two nodes are configured, both report it. */
export class IncomingTransfersFinalized extends event('IncomingTransfersFinalized')<
  IncomingBlock & { depositIds: readonly string[] }
> {}

/** The block is no longer in the chain, or it does not contain these transfers. */
export class IncomingTransfersReorged extends event('IncomingTransfersReorged')<
  IncomingBlock & { depositIds: readonly string[] }
> {}

export type IncomingTransfersEvent =
  IncomingTransfersSeen | IncomingTransfersConfirmed | IncomingTransfersFinalized | IncomingTransfersReorged;
