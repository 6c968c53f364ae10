import { Inject, Injectable } from '@nestjs/common';
import type { AmountOf } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock, Violation } from '@ponte/kernel';
import { Money, fromIso, saoPauloDate, violationsFrom } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { limitOf } from '../daily-allowance/daily-limit';
import { allowanceId, checkAllowance, dailyAllowance } from '../daily-allowance/daily-allowance.decider';
import { refuseInsufficientBalance } from '../ledger-account/ledger-account.errors';
import { availableOf, balanceOf } from '../ledger-account/ledger-account.state';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { clientReference, clientReferenceId, refuseUsedReference } from '../withdrawal/client-reference.decider';
import type { Reservation } from '../withdrawal/withdrawal-funds.service';
import { created } from '../withdrawal/withdrawal.state';
import { Withdrawals } from '../withdrawal/withdrawals.repository';

type Reserved = AmountOf & Pick<Reservation, 'accountId' | 'holdId'>;

/** Refuses, without writing anything, what would certainly be refused when the funds of a withdrawal are reserved. */
@Injectable()
export class WithdrawalChecks {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly withdrawals: Withdrawals,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
  ) {}

  /** Refuses an external id that another withdrawal has, before anything is written. */
  async checkReference({
    accountId,
    withdrawalId,
    externalId,
  }: Pick<Reservation, 'accountId' | 'withdrawalId' | 'externalId'>): Promise<void> {
    if (externalId === null) return;
    const { state } = await this.aggregates.load(clientReference, clientReferenceId(accountId, externalId));
    if (
      state.status === 'reserved' &&
      state.withdrawalId !== withdrawalId &&
      created(await this.withdrawals.load(state.withdrawalId))?.terms.externalId === externalId
    )
      refuseUsedReference();
  }

  /**
   * Refuses an amount above the daily allowance that is left, before anything is written. The share that an earlier
   * attempt took under the same hold is not counted again, and the day is the day of that hold.
   */
  async checkAllowance({ accountId, holdId, asset, amount }: Reserved): Promise<void> {
    const hold = (await this.ledgerAccounts.load(accountId)).holds.get(holdId);
    const date = saoPauloDate(hold ? fromIso(hold.placedAt) : this.clock.now());
    const { state } = await this.aggregates.load(dailyAllowance, allowanceId(accountId, date, asset));
    if (!state.taken.has(holdId)) checkAllowance(state, asset, amount, limitOf(this.settings, asset));
  }

  /**
   * The violations, with `insufficient-balance` as placing the hold would refuse it, unless an earlier attempt has
   * placed it. It replaces the same refusal because of the wallets.
   */
  async withBalance(violations: readonly Violation[], reservation: Reservation | undefined): Promise<Violation[]> {
    const ofBalance = await violationsFrom(() => reservation && this.checkBalance(reservation));
    return [
      ...violations.filter(({ code }) => ofBalance.length === 0 || code !== 'insufficient-balance'),
      ...ofBalance,
    ];
  }

  private async checkBalance({ accountId, withdrawalId, holdId, asset, amount }: Reservation): Promise<void> {
    const state = await this.ledgerAccounts.load(accountId);
    if (state.holds.has(holdId)) return;
    if (Money.stored(asset, amount).minor > availableOf(balanceOf(state, asset)))
      refuseInsufficientBalance({ kind: 'withdrawal', id: withdrawalId });
  }
}
