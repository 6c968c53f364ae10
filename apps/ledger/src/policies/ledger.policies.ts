import { WhenAccountReleasedCreditDeposits } from './when-account-released-credit-deposits';
import { WhenDepositCreatedCarryItOn } from './when-deposit-created-carry-it-on';
import { WhenDepositReversedReturnIt } from './when-deposit-reversed-return-it';
import { WhenDepositTakenBackReverseAndFreeze } from './when-deposit-taken-back-reverse-and-freeze';

/** What the service does because of events, in the order in which it does it. */
export const LEDGER_POLICIES = [WhenDepositCreatedCarryItOn, WhenDepositReversedReturnIt, WhenDepositTakenBackReverseAndFreeze, WhenAccountReleasedCreditDeposits] as const;
