import { event } from '@ponte/event-sourcing';
import type { Failure, Timestamp } from '../shared';
import type { MovementReceiver } from './transaction-purposes';

/** Fields that every published event of an NFT transfer repeats, so that a webhook needs no look-up. */
interface NftTransferTerms {
  readonly transferId: string;
  readonly accountId: string;
  /** Account of the API key that made the request. */
  readonly createdBy: string;
  /** Id of that API key. */
  readonly createdByApiKey: string;
  readonly certificateId: string;
  /** Lower-case addresses. */
  readonly sourceAddress: string;
  readonly targetAddress: string;
}

/** Stream `nftTransfer-<transferId>`; the id is derived from the scope of the idempotency key. */
export class NftTransferCreated extends event('NftTransferCreated')<
  NftTransferTerms & {
    readonly parentId: string | null;
    readonly sourceWalletId: string;
    /** The receiving account; null if the target is outside our custody. */
    readonly receiver: MovementReceiver | null;
    /** Hash of the request body; null if the request had no idempotency key. */
    readonly bodyHash: string | null;
    readonly externalId: string | null;
    readonly createdAt: Timestamp;
  }
> {}

/** From now on the movement may be on the chain, so only the chain decides how the transfer ends. */
export class NftTransferSendingStarted extends event('NftTransferSendingStarted')<{
  transferId: string;
  accountId: string;
  startedAt: Timestamp;
}> {}

/** The signed transaction is stored and is being sent to the chain. */
export class NftTransferPending extends event('NftTransferPending')<
  NftTransferTerms & { readonly txHash: string; readonly pendingAt: Timestamp }
> {}

/** The movement has enough confirmations, and the certificate belongs to the receiver. */
export class NftTransferCompleted extends event('NftTransferCompleted')<
  NftTransferTerms & { readonly txHash: string; readonly completedAt: Timestamp }
> {}

/** The certificate was not moved and will not be. It is active again. */
export class NftTransferFailed extends event('NftTransferFailed')<
  NftTransferTerms & { readonly txHash: string | null; readonly failure: Failure; readonly failedAt: Timestamp }
> {}

export const NFT_TRANSFER_EVENTS = [
  NftTransferCreated,
  NftTransferSendingStarted,
  NftTransferPending,
  NftTransferCompleted,
  NftTransferFailed,
] as const;
export type NftTransferEvent = InstanceType<(typeof NFT_TRANSFER_EVENTS)[number]>;
