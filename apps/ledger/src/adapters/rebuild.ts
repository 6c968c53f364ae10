import type { RebuildableView } from '@ponte/read-models';
import { StreamFolds } from '@ponte/event-sourcing';
import { addressReview } from '../address-screening/address-review.decider';
import { reviewRecord } from '../address-screening/address-review.mapper';
import { ADDRESS_REVIEWS_TABLE, KyselyAddressReviewReadModel } from '../address-screening/address-reviews.read-model';
import { deposit } from '../domain/deposit/deposit';
import { pixCharge } from '../domain/pix-charge/pix-charge';
import { chargeRow } from '../views/charges';
import { depositRow } from '../views/deposits';
import { FX_DAYS_TABLE } from '../reports/fx-days.read-model';
import { withdrawal } from '../withdrawal/withdrawal.decider';
import { KyselyWithdrawalReadModel, WITHDRAWALS_TABLE } from '../withdrawal/withdrawals.read-model';
import { trialBalancePosition, KyselyTrialBalance } from './trial-balance/kysely';
import { KyselyChargeReadModel } from './charge-read-model/kysely';
import { KyselyDepositReadModel } from './deposit-read-model/kysely';

/** Name the projectors that keep the views up to date. */
export const LISTS_READER = 'ledger-views';
export const TRIAL_BALANCE_READER = 'ledger-trial-balance';
const TRIAL_BALANCE_SOURCE = 'ledgerAccount';

const lists: RebuildableView = {
  name: LISTS_READER,
  reader: LISTS_READER,
  categories: [deposit.category, pixCharge.category, withdrawal.category, addressReview.category],
  tables: ['ledger_deposits', 'ledger_charges', WITHDRAWALS_TABLE, ADDRESS_REVIEWS_TABLE],
  async open(db, store) {
    const [deposits, charges] = [new KyselyDepositReadModel(db), new KyselyChargeReadModel(db)];
    await deposits.onModuleInit();
    await charges.onModuleInit();
    const reviews = new KyselyAddressReviewReadModel(db);
    await reviews.onModuleInit();
    const withdrawals = new KyselyWithdrawalReadModel(db, reviews);
    await withdrawals.onModuleInit();
    const ofReviews = new StreamFolds(addressReview, store);
    const ofWithdrawals = new StreamFolds(withdrawal, store);
    const [ofDeposits, ofCharges] = [new StreamFolds(deposit, store), new StreamFolds(pixCharge, store)];
    return {
      async apply({ events }) {
        await deposits.putAll(
          [...(await ofDeposits.add(events))].flatMap(
            ([id, { state, revision }]) => depositRow(id, state, revision) ?? [],
          ),
        );
        await charges.putAll(
          [...(await ofCharges.add(events))].flatMap(([, { state, revision }]) => chargeRow(state, revision) ?? []),
        );
        await reviews.putAll(
          [...(await ofReviews.add(events))].flatMap(([, { state, revision }]) => {
            const record = reviewRecord(state);
            return record ? [[record, revision] as const] : [];
          }),
        );
        await withdrawals.putAll(
          [...(await ofWithdrawals.add(events))].map(([, { state, revision }]) => [state, revision] as const),
        );
      },
    };
  },
};

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
export const LEDGER_VIEWS: readonly RebuildableView[] = [lists, books];
