import { requestsOf } from '@ponte/event-sourcing';
import type { DepositRecord } from './messages';

const { command } = requestsOf('ledger');

/**
 * A staff member asks to set aside tokens that arrived at a closed account: they leave the deposit and go to suspense
 * once another staff member confirms it. Repeating it changes nothing. Refuses `deposit-not-found`,
 * `deposit-not-waiting` unless the deposit is one of tokens that is confirmed, final and not under review,
 * `account-not-closed`, and `set-aside-pending` if another member's request waits.
 */
export const RequestSetAside = command<{ depositId: string; staffId: string }, DepositRecord>(
  'request-set-aside',
  'depositId',
);

/** `request`: the number of the request that the staff member has checked. */
interface DecideSetAsidePayload {
  readonly depositId: string;
  readonly request: number;
  readonly staffId: string;
}

/**
 * Another staff member confirms the pending request: the deposit is voided and its tokens are in suspense. Repeating it
 * changes nothing. Refuses as {@link RequestSetAside} does, `set-aside-not-pending` even if another request is pending,
 * and `second-member-required` to the member who requested it.
 */
export const ConfirmSetAside = command<DecideSetAsidePayload, DepositRecord>('confirm-set-aside', 'depositId');

/**
 * The deposit stays as it is. Repeating it changes nothing. The member who requested it may do so too. Refuses
 * `deposit-not-found` and `set-aside-not-pending`.
 */
export const RejectSetAside = command<DecideSetAsidePayload, DepositRecord>('reject-set-aside', 'depositId');
