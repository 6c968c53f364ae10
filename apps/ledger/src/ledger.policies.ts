import { WhenAccountReleasedCreditDeposits } from './deposit/when-account-released-credit-deposits.policy';
import { WhenTokenMovementConfirmedReceiveIt } from './token-movement/when-token-movement-confirmed-receive-it.policy';
import { WhenMovementReorgedPostHouseLoss } from './house-loss/when-movement-reorged-post-house-loss.policy';
import { WhenDepositCreatedAdvanceIt } from './deposit/when-deposit-created-advance-it.policy';
import { WhenDepositReversedReturnIt } from './deposit/when-deposit-reversed-return-it.policy';
import { WhenDepositTakenBackReverseAndFreeze } from './take-back/when-deposit-taken-back-reverse-and-freeze.policy';
import { WhenTokenMovementEndedSettleWithdrawal } from './token-withdrawal/when-token-movement-ended-settle-withdrawal.policy';
import { WhenDoubleReturnPostedReportIt } from './take-back/when-double-return-posted-report-it.policy';
import { WhenWithdrawalMovedAdvanceIt } from './withdrawal/when-withdrawal-moved-advance-it.policy';
import { WhenAccountClosedWriteBalancesOff } from './write-off/when-account-closed-write-balances-off.policy';
import { ADDRESS_SCREENING_POLICIES } from './address-screening/address-screening.module';
import { KEY_DIRECTORY_POLICIES } from './key-directory/key-directory.module';
import { REFUSED_PAYOUT_POLICIES } from './refused-payout/refused-payout.module';
import { SET_ASIDE_POLICIES } from './set-aside/set-aside.module';
import { SUSPENSE_SENDING_POLICIES } from './suspense-sending/sending.module';
import { TOKEN_DEPOSIT_POLICIES } from './token-deposit/token-deposit.module';

/** The policies of this service. Policies of the same event run in this order. */
export const LEDGER_POLICIES = [
  WhenDepositCreatedAdvanceIt,
  WhenDepositReversedReturnIt,
  WhenMovementReorgedPostHouseLoss,
  WhenDepositTakenBackReverseAndFreeze,
  WhenDoubleReturnPostedReportIt,
  WhenAccountReleasedCreditDeposits,
  WhenAccountClosedWriteBalancesOff,
  WhenWithdrawalMovedAdvanceIt,
  WhenTokenMovementConfirmedReceiveIt,
  WhenTokenMovementEndedSettleWithdrawal,
  ...KEY_DIRECTORY_POLICIES,
  ...REFUSED_PAYOUT_POLICIES,
  ...TOKEN_DEPOSIT_POLICIES,
  ...SET_ASIDE_POLICIES,
  ...SUSPENSE_SENDING_POLICIES,
  ...ADDRESS_SCREENING_POLICIES,
] as const;
