import { event } from '@ponte/event-sourcing';
import type { Failure, Timestamp } from '../shared';
import type { MovementReceiver } from './transaction-purposes';

/** Members that every published event of an NFT transfer repeats, so that a webhook needs no look-up. */
interface NftTransferTerms {
  readonly transferId: string;
  readonly accountId: string;
  /** The account of the key that made the request. */
  readonly createdBy: string;
  /** The id of that key. */
  readonly createdByApiKey: string;
  readonly certificateId: string;
  /** Lower-case addresses. */
  readonly sourceAddress: string;
  readonly targetAddress: string;
}

/** Stream `nftTransfer-<transferId>`; the id derives from the scope of the idempotency key. */
export class NftTransferCreated extends event('NftTransferCreated')<
  NftTransferTerms & {
    readonly parentId: string | null;
    readonly sourceWalletId: string;
    /** Null when the target is outside our custody. */
    readonly receiver: MovementReceiver | null;
    /** Identifies the request's body; null when it had no idempotency key. */
    readonly bodyHash: string | null;
    readonly externalId: string | null;
    readonly createdAt: Timestamp;
  }
> {}

/** From here on the movement may be on the chain, so only the chain can end the transfer. */
export class NftTransferSendingStarted extends event('NftTransferSendingStarted')<{
  transferId: string;
  accountId: string;
  startedAt: Timestamp;
}> {}

/** Its signed bytes are stored and on their way to the chain. */
export class NftTransferPending extends event('NftTransferPending')<
  NftTransferTerms & { readonly txHash: string; readonly pendingAt: Timestamp }
> {}

/** Enough confirmations, and the certificate is the receiver's. */
export class NftTransferCompleted extends event('NftTransferCompleted')<
  NftTransferTerms & { readonly txHash: string; readonly completedAt: Timestamp }
> {}

/** Nothing was moved, and nothing will be; the certificate is active again. */
export class NftTransferFailed extends event('NftTransferFailed')<
  NftTransferTerms & { readonly txHash: string | null; readonly failure: Failure; readonly failedAt: Timestamp }
> {}

export type NftTransferEvent =
  NftTransferCreated | NftTransferSendingStarted | NftTransferPending | NftTransferCompleted | NftTransferFailed;
