import type { Sealed } from '@ponte/event-sourcing';
import type {
  DepositVoidReason,
  Failure,
  SetAside,
  SuspenseCause,
  SuspenseSending,
  SuspenseSettlement,
  SuspenseStatus,
  Timestamp,
  UnallocatedReason,
} from '@ponte/contracts';

/** Money of a deposit that is, or was, in suspense. */
export interface Suspense {
  readonly cause: SuspenseCause;
  readonly reason: DepositVoidReason | UnallocatedReason;
  /** Number of returns that the bank refused. */
  readonly attempts: number;
  /** Who set the tokens aside; absent for any other cause. */
  readonly setAside?: SetAside;
  readonly postedAt: Timestamp;
  /** Number of proposals so far, which is also the number of the last one. */
  readonly proposals: number;
  /** The last proposal, unless it was rejected. It is unconfirmed if the bank took the payment back meanwhile. */
  readonly settlement: SuspenseSettlement | null;
  /** Tokens: the last proposal, unless it was rejected or has failed. Absent without one. */
  readonly sending?: Sending;
  /** Tokens: why the last proposal that was confirmed moved nothing. */
  readonly sendingFailure?: Failure;
  /** Null while the money is in suspense. */
  readonly settledAt: Timestamp | null;
}

/** `movementId`, `startedAt`: null until the proposal was confirmed. */
export interface Sending extends SuspenseSending {
  readonly movementId: string | null;
  readonly startedAt: Timestamp | null;
}

/** `now` is the single clock reading for the decision. */
export type SuspenseCommand =
  | {
      readonly kind: 'propose-settlement';
      readonly bankReference: string;
      readonly note: Sealed;
      readonly staffId: string;
      readonly now: Timestamp;
    }
  /** `proposal`: the number of the proposal that the staff member has checked. */
  | {
      readonly kind: 'confirm-settlement';
      readonly proposal: number;
      readonly staffId: string;
      readonly now: Timestamp;
    }
  | {
      readonly kind: 'reject-settlement';
      readonly proposal: number;
      readonly staffId: string;
      readonly now: Timestamp;
    };

/** The decision of a staff member about one proposal of an address. */
export interface SendingDecision {
  /** The number of the proposal that the staff member has checked. */
  readonly proposal: number;
  readonly staffId: string;
  readonly now: string;
}

/** About tokens in suspense. Whether the address may be used is checked before. */
export type SendingCommand =
  | {
      readonly kind: 'propose-sending';
      readonly destination: string;
      readonly reference: string;
      readonly staffId: string;
      readonly now: string;
    }
  | (SendingDecision & { readonly kind: 'confirm-sending' })
  | (SendingDecision & { readonly kind: 'reject-sending' })
  /** `receiverAccountId`: the account whose Ponte wallet received the tokens; null outside our custody. */
  | {
      readonly kind: 'note-sent';
      readonly movementId: string;
      readonly txHash: string;
      readonly receiverAccountId: string | null;
      readonly now: string;
    }
  | {
      readonly kind: 'note-sending-failed';
      readonly movementId: string;
      readonly failure: Failure;
      readonly now: string;
    };

/**
 * The status that staff see: `proposed` while a proposal waits for a second staff member, `sending` while confirmed
 * tokens are being sent.
 */
export const statusOf = ({ settlement, sending, settledAt }: Suspense): SuspenseStatus => {
  if (settledAt !== null) return 'settled';
  if (sending) return sending.confirmedBy === null ? 'proposed' : 'sending';
  return settlement === null ? 'open' : 'proposed';
};
