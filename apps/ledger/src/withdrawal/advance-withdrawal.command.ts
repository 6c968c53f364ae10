import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { behindEvent, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { fromIso } from '@ponte/kernel';
import { CLOCK, LOGGER, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import type { AddressScreening } from '../address-screening/address-screening.port';
import { ADDRESS_SCREENING } from '../address-screening/address-screening.port';
import { BusinessCalendar } from '../business-calendar/business-calendar';
import { Accounts } from '../deposit/pix-accounts.service';
import { step } from '../steps';
import { PayoutContradictions } from '../payouts/payout-contradictions.service';
import type { PayoutOrder } from '../payouts/payouts.port';
import type { SettledPayout } from '../payouts/send-payout.service';
import { SendPayout } from '../payouts/send-payout.service';
import { WithdrawalFunds } from './withdrawal-funds.service';
import { awaitsReview } from '../withdrawal-review/withdrawal-review.domain';
import { SettlementReferences } from '../suspense/settlement-references.repository';
import type { Withdrawal, WithdrawalCommand } from './withdrawal.state';
import { created } from './withdrawal.state';
import { failureOf } from './withdrawal.failures';
import { Withdrawals } from './withdrawals.repository';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/**
 * Advances a withdrawal as far as possible now. The id of every step derives from the withdrawal, so this may be
 * interrupted at any point, run again, or run concurrently in another process.
 */
export class AdvanceWithdrawalCommand extends PayloadCommand<{
  readonly withdrawalId: string;
  /** The event that the caller reacts to, so that a state from before that event is detected. */
  readonly seen?: 'created' | 'rolled-back';
}> {}

type Open<S extends Withdrawal['status']> = Extract<Withdrawal, { status: S }>;

@CommandHandler(AdvanceWithdrawalCommand)
export class AdvanceWithdrawalHandler implements ICommandHandler<AdvanceWithdrawalCommand> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly funds: WithdrawalFunds,
    private readonly payout: SendPayout,
    private readonly accounts: Accounts,
    private readonly calendar: BusinessCalendar,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly references: SettlementReferences,
    private readonly contradictions: PayoutContradictions,
    @Inject(ADDRESS_SCREENING) private readonly screening: AddressScreening,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ payload: { withdrawalId, seen }, context }: AdvanceWithdrawalCommand): Promise<void> {
    let state = await this.withdrawals.load(withdrawalId);
    if ((seen === 'created' && !created(state)) || (seen === 'rolled-back' && state.status !== 'rolled-back'))
      behindEvent(`withdrawal ${withdrawalId}`, state.status);
    let order: PayoutOrder | null = null;
    if (state.status === 'created') ({ state, order } = await this.start(state, context));
    if (state.status === 'processing' && state.terms.target.method !== 'token')
      state = await this.settle(state, order, context);
    if (state.status === 'rolled-back') await this.funds.release(state.terms, 'withdrawal-rolled-back', context);
  }

  /**
   * Runs the checks before the money may leave. `order` is set only if this process started the withdrawal, so that it
   * can be sent without looking for an earlier payment.
   */
  private async start(
    state: Open<'created'>,
    context: RequestContext,
  ): Promise<{ state: Withdrawal; order: PayoutOrder | null }> {
    const { withdrawalId, accountId, target } = state.terms;
    const now = this.clock.now();
    // Also before its time, so that its hold does not keep the account from using what is left.
    const cover = target.method === 'token' ? 'covered' : await this.payout.cover(state.terms);
    if (cover === 'uncovered') return { state: await this.stop(state, 'payment-taken-back', context), order: null };
    if (state.scheduledFor !== null && now < fromIso(state.scheduledFor)) return { state, order: null };
    const account = await this.accounts.get(accountId, context);
    if (account?.status !== 'active')
      return { state: await this.stop(state, 'account-not-active', context), order: null };
    const until = target.method === 'ted' ? this.calendar.waitsUntil(now) : null;
    if (until !== null) {
      const postponed = await this.withdrawals.execute(
        withdrawalId,
        { kind: 'postpone', until },
        step(context, 'postpone', withdrawalId, until),
      );
      return { state: postponed, order: null };
    }
    const hits = target.method === 'token' ? this.screening.screen(target.destinationWalletAddress) : [];
    if (hits.length > 0) {
      const named = hits
        .map(({ list, entryId }) => `${list} ${entryId}`)
        .sort()
        .join();
      const afterHold = await this.withdrawals.execute(
        withdrawalId,
        (at) => ({ kind: 'hold-for-review', hits, now: at }),
        // An entry may be listed again after a review of other entries.
        step(context, 'hold-for-review', withdrawalId, named, state.review?.heldAt ?? ''),
      );
      if (afterHold.status !== 'created' || awaitsReview(afterHold.review)) return { state: afterHold, order: null };
    }
    if (cover === 'undecided') return { state, order: null };
    const check = target.method === 'token' ? null : await this.payout.check(state.terms, context);
    if (check?.kind === 'unknown') return { state, order: null };
    if (check?.kind === 'changed') return { state: await this.stop(state, check.code, context), order: null };
    return { state: await this.begin(withdrawalId, context), order: check?.order ?? null };
  }

  private begin(withdrawalId: string, context: RequestContext): Promise<Withdrawal> {
    const own = step(context, 'start', withdrawalId);
    return this.withdrawals.execute(withdrawalId, (at) => ({ kind: 'start', now: at }), own);
  }

  /**
   * Rolls back a withdrawal that failed a check. If the log was restored to an earlier state, the bank may already have
   * its payment: then the withdrawal is started, and the payment decides how it ends. If the bank does not answer, the
   * withdrawal stays `created`.
   */
  private async stop(
    state: Open<'created'>,
    code: Parameters<typeof failureOf>[0],
    context: RequestContext,
  ): Promise<Withdrawal> {
    const { withdrawalId, target } = state.terms;
    const isKnown = target.method === 'token' ? false : await this.payout.isKnown(withdrawalId, context);
    if (isKnown === undefined) return state;
    return isKnown ? this.begin(withdrawalId, context) : this.rollBack(withdrawalId, 'created', code, context);
  }

  private async settle(
    state: Open<'processing'>,
    order: PayoutOrder | null,
    context: RequestContext,
  ): Promise<Withdrawal> {
    const payment = await this.payout.pay(state.terms, order, this.clock.now(), context);
    switch (payment?.status) {
      case undefined:
      case 'pending':
        return state;
      case 'completed':
        return this.complete(state, payment, context);
      case 'refused':
        // The bank had made the payment when the account was debited. Only the bank can say what is true.
        if (await this.ledgerAccounts.wasDebited(state.terms)) {
          const { withdrawalId } = state.terms;
          this.contradictions.report('payment-posted', { withdrawalId, paymentId: payment.paymentId }, context);
          return state;
        }
        return this.rollBack(state.terms.withdrawalId, 'processing', payment.refusal ?? 'bank-refused', context);
    }
  }

  /** Debits the books first: a completed withdrawal must have left them, and its payment can settle nothing else. */
  private async complete(
    { terms }: Open<'processing'>,
    { endToEndId }: SettledPayout,
    context: RequestContext,
  ): Promise<Withdrawal> {
    const { withdrawalId, accountId, holdId } = terms;
    await this.ledgerAccounts.execute(
      accountId,
      (now) => ({ kind: 'post-withdrawal', accountId, withdrawalId, holdId, now }),
      step(context, 'post', withdrawalId),
    );
    if (endToEndId !== null) await this.references.book(endToEndId, { kind: 'withdrawal', id: withdrawalId }, context);
    return this.withdrawals.execute(
      withdrawalId,
      (now) => ({ kind: 'complete', now, endToEndId, txHash: null }),
      step(context, 'complete', withdrawalId),
    );
  }

  private async rollBack(
    withdrawalId: string,
    from: 'created' | 'processing',
    code: Parameters<typeof failureOf>[0],
    context: RequestContext,
  ): Promise<Withdrawal> {
    this.logger.info({ ...logged(context), withdrawalId, code }, 'a withdrawal is rolled back');
    const command = (now: string): WithdrawalCommand => ({ kind: 'roll-back', from, failure: failureOf(code), now });
    return this.withdrawals.execute(withdrawalId, command, step(context, 'roll-back', withdrawalId, from));
  }
}
