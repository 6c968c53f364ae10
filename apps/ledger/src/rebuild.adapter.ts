import type { RebuildableView } from '@ponte/read-models';
import { rebuildableViews } from '@ponte/nest';
import { AddressReviewReadModel } from './address-screening/address-reviews.read-model';
import { FX_DAYS_TABLE } from './reports/fx-days.read-model';
import { ChargeReadModel } from './pix-charge/charges.read-model';
import { DepositReadModel } from './deposit/deposits.read-model';
import { WithdrawalReadModel } from './withdrawal/withdrawals.read-model';
import { trialBalancePosition, KyselyTrialBalance } from './trial-balance/trial-balance.read-model';

export const LEDGER_READ_MODELS = [DepositReadModel, ChargeReadModel, WithdrawalReadModel, AddressReviewReadModel];
/** Events that the projector of the lists gathers under load. */
export const LISTS_BATCH = 1_024;

/** Names the projector of the books. */
export const TRIAL_BALANCE_READER = 'ledger-trial-balance';
const TRIAL_BALANCE_SOURCE = 'ledgerAccount';

/** Tables that are rebuilt have one writer. */
const NO_FENCE = 0;

const books: RebuildableView = {
  name: TRIAL_BALANCE_READER,
  categories: [TRIAL_BALANCE_SOURCE],
  tables: ['ledger_trial_balance', 'ledger_open_holds', 'ledger_trial_balance_position', FX_DAYS_TABLE],
  position: trialBalancePosition,
  async open(db, store) {
    const rows = new KyselyTrialBalance(db, store);
    await rows.onModuleInit();
    return { apply: (slice) => rows.apply(slice, NO_FENCE) };
  },
};

/** What this service shows, and how it is rebuilt. */
export const LEDGER_VIEWS: readonly RebuildableView[] = [...rebuildableViews(LEDGER_READ_MODELS), books];
