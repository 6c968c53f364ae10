import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AccountStanding } from './freeze-messages';
import type { ClosingReason } from './reasons';
import type { StaffActor } from './review/review-words';

const { command } = requestsOf('onboarding');

interface ByStaff {
  accountId: string;
  staff: StaffActor;
}

// Commands of staff. Both refuse `account-not-found`, `role-not-allowed`, `account-not-active` for a closed account,
// and `account-in-use` with everything that is open. `CloseFreezeRequest` withdraws or rejects a request.
/**
 * Requests that a frozen account is closed. Idempotent for the same staff member. Refuses `account-not-frozen`, and
 * `freeze-step-pending` while another step waits. `evidence` is sealed by `sealRequest({secret})`.
 */
export const RequestAccountClosing = command<ByStaff & { reason: ClosingReason; evidence: Sealed }, AccountStanding>(
  'request-account-closing',
  'accountId',
);
/**
 * Closes the account, as another staff member requested in `request`. Refuses `second-member-required` to the
 * requester, `freeze-step-not-pending`, and `account-in-use` during the first minute of the freeze.
 */
export const ConfirmAccountClosing = command<ByStaff & { request: number }, AccountStanding>(
  'confirm-account-closing',
  'accountId',
);
