import { event } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Failure, Timestamp } from '../shared';
import type { MovementReceiver } from './transaction-purposes';

/** Members that every published event of a transfer repeats, so that a webhook needs no look-up. */
interface TransferTerms {
  readonly transferId: string;
  readonly accountId: string;
  /** The account of the key that made the request. */
  readonly createdBy: string;
  /** The id of that key. */
  readonly createdByApiKey: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** Lower-case addresses. */
  readonly sourceAddress: string;
  readonly targetAddress: string;
}

/** Stream `transfer-<transferId>`; the id derives from the scope of the idempotency key. */
export class TransferCreated extends event('TransferCreated')<
  TransferTerms & {
    readonly parentId: string | null;
    readonly sourceWalletId: string;
    /** Null when the target is outside our custody. */
    readonly receiver: MovementReceiver | null;
    /** Identifies the request's body; null when it had no idempotency key. */
    readonly bodyHash: string | null;
    readonly externalId: string | null;
    /** The hold that this transfer owns; any other under it is released. */
    readonly holdId: string;
    readonly createdAt: Timestamp;
  }
> {}

/** A hold was placed and no transfer followed: it is released, and no transfer can name it from here on. */
export class TransferAbandoned extends event('TransferAbandoned')<{
  transferId: string;
  accountId: string;
  holdId: string;
  abandonedAt: Timestamp;
}> {}

/** From here on the movement may be on the chain, so only the chain can end the transfer. */
export class TransferSendingStarted extends event('TransferSendingStarted')<{
  transferId: string;
  accountId: string;
  startedAt: Timestamp;
}> {}

/** Its signed bytes are stored and on their way to the chain. */
export class TransferPending extends event('TransferPending')<
  TransferTerms & { readonly txHash: string; readonly pendingAt: Timestamp }
> {}

/** Final on the chain, and in the books. */
export class TransferCompleted extends event('TransferCompleted')<
  TransferTerms & { readonly txHash: string; readonly completedAt: Timestamp }
> {}

/** Nothing was moved, and nothing will be; the hold is released. */
export class TransferFailed extends event('TransferFailed')<
  TransferTerms & {
    readonly txHash: string | null;
    readonly failure: Failure;
    readonly failedAt: Timestamp;
  }
> {}

export type TransferEvent =
  TransferCreated | TransferAbandoned | TransferSendingStarted | TransferPending | TransferCompleted | TransferFailed;

/**
 * Stream `movementExternalId-<id derived from account and external id>`: an account uses an external id for one
 * transfer.
 */
export class MovementExternalIdTaken extends event('MovementExternalIdTaken')<{
  accountId: string;
  resourceId: string;
  takenAt: Timestamp;
}> {}
/** The resource was not created. */
export class MovementExternalIdReleased extends event('MovementExternalIdReleased')<{
  accountId: string;
  resourceId: string;
}> {}

export type MovementExternalIdEvent = MovementExternalIdTaken | MovementExternalIdReleased;
