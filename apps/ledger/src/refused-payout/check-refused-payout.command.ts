import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { PayoutContradictions } from '../payouts/payout-contradictions.service';
import { PAYOUTS } from '../payouts/payouts.port';
import type { Payout, Payouts } from '../payouts/payouts.port';
import { callRepeatable } from '../payouts/rail';
import { step } from '../steps';
import { SettlementReferences } from '../suspense/settlement-references.repository';
import { WithdrawalFunds } from '../withdrawal/withdrawal-funds.service';
import type { WithdrawalTerms } from '../withdrawal/withdrawal.state';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { Withdrawals } from '../withdrawal/withdrawals.repository';

/**
 * Checks whether the bank has made a refused payout after all. Does nothing for any other withdrawal. It may be
 * interrupted at any point, run again, or run concurrently in another process. Throws `rail-unavailable` if the bank
 * does not answer.
 */
export class CheckRefusedPayoutCommand extends PayloadCommand<{ readonly withdrawalId: string }> {}

@CommandHandler(CheckRefusedPayoutCommand)
export class CheckRefusedPayoutHandler implements ICommandHandler<CheckRefusedPayoutCommand> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly funds: WithdrawalFunds,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly references: SettlementReferences,
    private readonly contradictions: PayoutContradictions,
    @Inject(PAYOUTS) private readonly bank: Payouts,
  ) {}

  async execute({ payload: { withdrawalId }, context }: CheckRefusedPayoutCommand): Promise<void> {
    const state = await this.withdrawals.load(withdrawalId);
    if (state.status !== 'rolled-back' || state.refusedPayout === null || state.refusedPayout.made) return;
    const payment = await callRepeatable(() => this.bank.get(paymentIdOf(withdrawalId)));
    if (payment?.status === 'completed' && payment.amount !== state.terms.amount) {
      // Nothing is posted while the amounts differ. The check stays due, in case the bank corrects the amount.
      const subject = { withdrawalId, paymentId: payment.paymentId };
      return this.contradictions.report('payment-amount', subject, context);
    }
    if (payment?.status === 'completed') return this.post(state.terms, payment, context);
    const { checkAgainAt } = state.refusedPayout;
    if (checkAgainAt === null) return;
    if (await this.ledgerAccounts.wasDebited(state.terms))
      this.contradictions.reportOnce('payment-posted', { withdrawalId, paymentId: paymentIdOf(withdrawalId) }, context);
    const status = payment?.status ?? 'unknown';
    await this.withdrawals.execute(
      withdrawalId,
      (now) => ({ kind: 'note-refused-payout', status, endToEndId: null, now }),
      step(context, 'note-refused-payout', withdrawalId, checkAgainAt),
    );
  }

  /**
   * Releases the hold first: after that, no process can debit the account for this payment, so it is certain whether
   * one has. Then books the reference, so that this payment cannot be used to settle anything else, and records the
   * outcome last: a loss, unless the account was debited.
   */
  private async post(
    terms: WithdrawalTerms,
    { paymentId, endToEndId }: Payout,
    context: RequestContext,
  ): Promise<void> {
    const { withdrawalId } = terms;
    await this.funds.release(terms, 'withdrawal-rolled-back', context);
    const wasDebited = await this.ledgerAccounts.wasDebited(terms);
    if (endToEndId !== null) await this.references.book(endToEndId, { kind: 'withdrawal', id: withdrawalId }, context);
    // Reported before the event that ends the checks, so that no crash can prevent the report.
    if (wasDebited) this.contradictions.reportOnce('payment-posted', { withdrawalId, paymentId }, context);
    const status = wasDebited ? 'already-posted' : 'completed';
    await this.withdrawals.execute(
      withdrawalId,
      (now) => ({ kind: 'note-refused-payout', status, endToEndId, now }),
      step(context, 'post-refused-payout', withdrawalId),
    );
  }
}
