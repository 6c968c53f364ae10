import { event } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Failure, Timestamp } from '../shared';
import type { MovementReceiver } from './transaction-purposes';

/** Fields that every published event of a transfer repeats, so that a webhook needs no look-up. */
interface TransferTerms {
  readonly transferId: string;
  readonly accountId: string;
  /** Account of the API key that made the request. */
  readonly createdBy: string;
  /** Id of that API key. */
  readonly createdByApiKey: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** Lower-case addresses. */
  readonly sourceAddress: string;
  readonly targetAddress: string;
}

/** Stream `transfer-<transferId>`; the id is derived from the scope of the idempotency key. */
export class TransferCreated extends event('TransferCreated')<
  TransferTerms & {
    readonly parentId: string | null;
    readonly sourceWalletId: string;
    /** The receiving account; null if the target is outside our custody. */
    readonly receiver: MovementReceiver | null;
    /** Hash of the request body; null if the request had no idempotency key. */
    readonly bodyHash: string | null;
    readonly externalId: string | null;
    /** The hold that this transfer uses. Any other hold for the same transfer id is released. */
    readonly holdId: string;
    readonly createdAt: Timestamp;
  }
> {}

/** A hold was placed but no transfer was created. The hold is released, and no transfer can use it any more. */
export class TransferAbandoned extends event('TransferAbandoned')<{
  transferId: string;
  accountId: string;
  holdId: string;
  abandonedAt: Timestamp;
}> {}

/** From now on the movement may be on the chain, so only the chain decides how the transfer ends. */
export class TransferSendingStarted extends event('TransferSendingStarted')<{
  transferId: string;
  accountId: string;
  startedAt: Timestamp;
}> {}

/** The signed transaction is stored and is being sent to the chain. */
export class TransferPending extends event('TransferPending')<
  TransferTerms & { readonly txHash: string; readonly pendingAt: Timestamp }
> {}

/** The movement has enough confirmations on the chain and is posted in the books. */
export class TransferCompleted extends event('TransferCompleted')<
  TransferTerms & { readonly txHash: string; readonly completedAt: Timestamp }
> {}

/** No tokens were moved, and none will be. The hold is released. */
export class TransferFailed extends event('TransferFailed')<
  TransferTerms & {
    readonly txHash: string | null;
    readonly failure: Failure;
    readonly failedAt: Timestamp;
  }
> {}

export const TRANSFER_EVENTS = [
  TransferCreated,
  TransferAbandoned,
  TransferSendingStarted,
  TransferPending,
  TransferCompleted,
  TransferFailed,
] as const;
export type TransferEvent = InstanceType<(typeof TRANSFER_EVENTS)[number]>;

/**
 * Stream `movementExternalId-<id derived from account, kind of transfer and external id>`: an account uses an external
 * id for one token transfer and one NFT transfer.
 */
export class MovementExternalIdTaken extends event('MovementExternalIdTaken')<{
  accountId: string;
  resourceId: string;
  /** The attempt to create the transfer that took the external id. Several attempts may run at once. */
  claimId: string;
  takenAt: Timestamp;
}> {}
/** The attempt did not create the transfer. Without other claims, the external id is free again. */
export class MovementExternalIdReleased extends event('MovementExternalIdReleased')<{
  accountId: string;
  resourceId: string;
  claimId: string;
}> {}

export type MovementExternalIdEvent = MovementExternalIdTaken | MovementExternalIdReleased;

/**
 * Stream `dailyTransfers-<id>`, one for each account and day in São Paulo: the transfer of tokens or of a certificate
 * may be created. An account may make a limited number of transfers a day, and this stream enforces the limit for
 * parallel requests.
 */
export class TransferCounted extends event('TransferCounted')<{
  accountId: string;
  /** YYYY-MM-DD. */
  date: string;
  transferId: string;
  /** The attempt to create the transfer that counted it. */
  attemptId: string;
  countedAt: Timestamp;
}> {}

/** The attempt that counted a transfer was refused, so that the transfer counts no longer. */
export class TransferUncounted extends event('TransferUncounted')<{
  accountId: string;
  date: string;
  transferId: string;
}> {}

export type DailyTransfersEvent = TransferCounted | TransferUncounted;
