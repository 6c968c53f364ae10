import type { FailedReturn } from '@ponte/contracts';
import type { FailedReturnDto } from './failed-return.dto';

/** The payment as the staff API shows it. */
export const failedReturnDto = (failed: FailedReturn): FailedReturnDto => ({
  'deposit-id': failed.depositId,
  cause: failed.cause,
  status: failed.status,
  'account-id': failed.accountId,
  'withdrawal-id': failed.withdrawalId,
  type: failed.type,
  asset: failed.asset,
  amount: failed.amount,
  'end-to-end-id': failed.endToEndId,
  reason: failed.reason,
  attempts: failed.attempts,
  'failed-at': failed.failedAt,
  settlement: failed.settlement && {
    proposal: failed.settlement.proposal,
    'bank-reference': failed.settlement.bankReference,
    note: failed.settlement.note,
    'proposed-by': failed.settlement.proposedBy,
    'proposed-at': failed.settlement.proposedAt,
    'confirmed-by': failed.settlement.confirmedBy,
  },
  'settled-at': failed.settledAt,
});
