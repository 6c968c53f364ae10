import { rebuildableReadModels } from '@ponte/nest';
import { AddressReviewReadModel } from './address-screening/address-reviews.read-model';
import { FxDays } from './reports/fx-days.read-model';
import { ChargeReadModel } from './pix-charge/charges.read-model';
import { RefusedPayouts } from './refused-payout/refused-payouts.read-model';
import { SetAsides } from './set-aside/set-asides.read-model';
import { BlockedReturns } from './returns/blocked-returns.read-model';
import { UnfinishedReturns } from './returns/unfinished-returns.read-model';
import { DoubleReturns } from './take-back/double-returns.read-model';
import { DepositReadModel } from './deposit/deposits.read-model';
import { WithdrawalReadModel } from './withdrawal/withdrawals.read-model';
import { LedgerDecisions } from './waiting-work/ledger-decisions.read-model';
import { OpenHolds, TrialBalance } from './trial-balance/trial-balance.read-model';

export const LEDGER_READ_MODELS = [
  ...[DepositReadModel, ChargeReadModel, WithdrawalReadModel, AddressReviewReadModel, DoubleReturns, UnfinishedReturns],
  BlockedReturns,
  ...[RefusedPayouts, SetAsides],
  ...[TrialBalance, OpenHolds, FxDays],
  LedgerDecisions,
];
/** The largest number of events per batch of the projectors under load. */
export const READ_MODELS_BATCH = 1_024;

/** The read models of this service, and how they are rebuilt. */
export const LEDGER_REBUILDABLE = rebuildableReadModels(LEDGER_READ_MODELS);
