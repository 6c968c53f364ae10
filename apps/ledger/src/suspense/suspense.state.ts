import type { Sealed } from '@ponte/event-sourcing';
import type {
  DepositVoidReason,
  SetAside,
  SuspenseCause,
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
  /** Null while the money is in suspense. */
  readonly settledAt: Timestamp | null;
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

export const statusOf = ({ settlement, settledAt }: Suspense): SuspenseStatus => {
  if (settledAt !== null) return 'settled';
  return settlement === null ? 'open' : 'proposed';
};
