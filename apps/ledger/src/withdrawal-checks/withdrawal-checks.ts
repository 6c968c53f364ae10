import { Inject, Injectable } from '@nestjs/common';
import type { AmountOf } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Money, saoPauloDate } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { limitOf } from '../daily-allowance/daily-limit';
import { allowanceId, checkAllowance, dailyAllowance } from '../daily-allowance/daily-allowance.decider';
import { refuseInsufficientBalance } from '../ledger-account/ledger-account.errors';
import { availableOf, balanceOf } from '../ledger-account/ledger-account.state';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { clientReference, clientReferenceId, refuseUsedReference } from '../withdrawal/client-reference.decider';
import type { Reservation } from '../withdrawal/withdrawal-funds';
import { created } from '../withdrawal/withdrawal.state';
import { Withdrawals } from '../withdrawal/withdrawals.repository';

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

  /** Refuses an amount above the daily allowance that is left, before anything is written. */
  async checkAllowance({ accountId, asset, amount }: AmountOf & Pick<Reservation, 'accountId'>): Promise<void> {
    const { state } = await this.aggregates.load(
      dailyAllowance,
      allowanceId(accountId, saoPauloDate(this.clock.now()), asset),
    );
    checkAllowance(state, asset, amount, limitOf(this.settings, asset));
  }

  /** Refuses `insufficient-balance` as placing the hold would. */
  async checkBalance({
    accountId,
    withdrawalId,
    asset,
    amount,
  }: AmountOf & Pick<Reservation, 'accountId' | 'withdrawalId'>): Promise<void> {
    const available = availableOf(balanceOf(await this.ledgerAccounts.load(accountId), asset));
    if (Money.stored(asset, amount).minor > available)
      refuseInsufficientBalance({ kind: 'withdrawal', id: withdrawalId });
  }
}
