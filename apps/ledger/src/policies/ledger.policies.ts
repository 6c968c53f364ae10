import { WhenTokenMovementConfirmedReceiveIt } from '../token-movement/when-token-movement-confirmed-receive-it.policy';
import { WhenDepositCreatedCarryItOn } from './when-deposit-created-carry-it-on';
import { WhenDepositReversedReturnIt } from './when-deposit-reversed-return-it';

/** What the service does because of events, in the order in which it does it. */
export const LEDGER_POLICIES = [WhenDepositCreatedCarryItOn, WhenDepositReversedReturnIt, WhenTokenMovementConfirmedReceiveIt] as const;
