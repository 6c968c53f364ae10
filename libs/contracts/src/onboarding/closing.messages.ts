import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AmountOf } from '../shared';
import type { AccountStanding, ByStaff } from './freeze.messages';
import type { ClosingReason } from './reasons';

const { command } = requestsOf('onboarding');

// Commands of staff. Both refuse `account-not-found`, `role-not-allowed`, `account-not-active` for a closed account,
// and `account-in-use` with everything that is open. `CloseFreezeRequest` withdraws or rejects a request.
/**
 * Requests that a frozen account is closed. Idempotent for the same staff member. Refuses `account-not-frozen`, and
 * `freeze-step-pending` while another step waits. `evidence` is sealed by `sealRequest({secret})`.
 * `writeOff` names exactly the balances that are left. Each amount is positive (`amount-below-minimum`) and below one
 * unit of its asset (`amount-above-maximum`), and each asset is named once (`invalid-format`).
 */
export const RequestAccountClosing = command<
  ByStaff & { reason: ClosingReason; evidence: Sealed; writeOff?: readonly AmountOf[] },
  AccountStanding
>('request-account-closing', 'accountId');
/**
 * Closes the account, as another staff member requested in `request`. Refuses `second-member-required` to the
 * requester, `freeze-step-not-pending`, and `account-in-use` during the first minute of the freeze or
 * if a balance is not the one that the request writes off.
 */
export const ConfirmAccountClosing = command<ByStaff & { request: number }, AccountStanding>(
  'confirm-account-closing',
  'accountId',
);
