import type { FreezeReason, ReleaseReason, StaffActor, Timestamp } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { FreezeDecision } from './freeze-request.domain';

interface ByStaff {
  readonly staff: StaffActor;
  readonly at: Timestamp;
}

export type Decision = FreezeDecision & ByStaff;

interface WithEvidence {
  readonly evidence: Sealed | null;
}

export interface ConfirmFreeze extends Decision {
  readonly kind: 'confirm-freeze';
  /** Whether the true match for which the freeze was requested was cleared. */
  readonly isFindingCleared: boolean;
}

export interface ConfirmRelease extends Decision {
  readonly kind: 'confirm-release';
  /** When an address of the account was last found on a sanctions list; null if never. */
  readonly addressFoundAt: Timestamp | null;
  /** Whether an address review or a finding is open, or a true match was not cleared. */
  readonly isReviewOpen: boolean;
}

export type FreezeCommand =
  | (ByStaff & WithEvidence & { readonly kind: 'request-freeze'; readonly reason: FreezeReason })
  | (ByStaff & WithEvidence & { readonly kind: 'request-release'; readonly reason: ReleaseReason })
  | (Decision & { readonly kind: 'close-freeze-request' })
  | ConfirmFreeze
  | ConfirmRelease
  | (WithEvidence & {
      readonly kind: 'freeze-automatically';
      readonly reason: FreezeReason;
      /** Whether what the bank or a chain took back was not in the account. Default: false. */
      readonly nothingLost?: boolean;
      readonly at: Timestamp;
    });
