import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { DecimalText, Page, PageRequest } from '../shared';
import type { DepositStatus } from '../state-machines';
import type { DepositEvidence } from './deposit-events';
import type { DepositRecord } from './messages';

const { command, query } = requestsOf('ledger');

export interface RecordUsdDepositPayload {
  readonly accountId: string;
  readonly amount: DecimalText;
  /** `{source, target}` as JSON, each a text or null, sealed for transit. */
  readonly coordinates: Sealed;
  readonly evidence: DepositEvidence;
  readonly staffId: string;
}
/**
 * Records USD that arrived, once per bank reference. It is credited only after another staff member confirms it.
 * Refuses `account-not-found`, `account-not-active` if the account is closed, and `external-id-already-used` if the
 * deposit of the bank reference has another account, amount or document.
 */
export const RecordUsdDeposit = command<RecordUsdDepositPayload, DepositRecord>('record-usd-deposit', 'accountId');
/**
 * Refuses `second-approver-required` if the same staff member recorded it, `review-not-open` after a rejection,
 * `account-not-active` if the account was closed, and `deposit-not-found`.
 */
export const ConfirmUsdDeposit = command<{ depositId: string; staffId: string }, DepositRecord>(
  'confirm-usd-deposit',
  'depositId',
);
/** Nothing is credited. Refuses `review-not-open` after a confirmation, and `deposit-not-found`. */
export const RejectUsdDeposit = command<{ depositId: string; staffId: string }, DepositRecord>(
  'reject-usd-deposit',
  'depositId',
);
/** For staff: USD deposits of all accounts. */
export const ListUsdDeposits = query<{ status: DepositStatus | null; page: PageRequest }, Page<DepositRecord>>(
  'list-usd-deposits',
);
