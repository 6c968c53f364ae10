import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { SettleTokenWithdrawal } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { step } from '../steps';
import { WithdrawalFunds } from '../withdrawal/withdrawal-funds.service';
import type { Withdrawal, WithdrawalTerms } from '../withdrawal/withdrawal.state';
import { created } from '../withdrawal/withdrawal.state';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/** Records the outcome of a token withdrawal on its chain. */
export class SettleTokenWithdrawalCommand extends RequestCommand<typeof SettleTokenWithdrawal> {}

@CommandHandler(SettleTokenWithdrawalCommand)
export class SettleTokenWithdrawalHandler implements ICommandHandler<SettleTokenWithdrawalCommand> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly funds: WithdrawalFunds,
    private readonly ledgerAccounts: LedgerAccounts,
  ) {}

  async execute({
    payload: { withdrawalId, outcome },
    context,
  }: SettleTokenWithdrawalCommand): Promise<ReplyOf<typeof SettleTokenWithdrawal>> {
    const known = created(await this.withdrawals.load(withdrawalId));
    if (known?.terms.target.method !== 'token')
      return refuse('withdrawal-not-found', 'there is no such token withdrawal');
    // Only a started withdrawal has a transaction, so an earlier status means an old state.
    if (known.status === 'created') return behindEvent(`withdrawal ${withdrawalId}`, known.status);
    const after = await this.settled(known.terms, outcome, context);
    return { state: (created(after) ?? known).status };
  }

  private async settled(
    terms: WithdrawalTerms,
    outcome: PayloadOf<typeof SettleTokenWithdrawal>['outcome'],
    context: RequestContext,
  ): Promise<Withdrawal> {
    const { withdrawalId, accountId, holdId } = terms;
    switch (outcome.state) {
      case 'broadcast': {
        const { txHash } = outcome;
        return this.withdrawals.execute(
          withdrawalId,
          (now) => ({ kind: 'note-broadcast', txHash, now }),
          step(context, 'note-broadcast', withdrawalId, txHash),
        );
      }
      case 'completed': {
        const { txHash, receiverAccountId } = outcome;
        await this.ledgerAccounts.execute(
          accountId,
          (now) => ({
            kind: 'post-withdrawal',
            accountId,
            withdrawalId,
            holdId,
            receiverAccountId,
            now,
          }),
          step(context, 'post', withdrawalId),
        );
        return this.withdrawals.execute(
          withdrawalId,
          (now) => ({ kind: 'complete', now, endToEndId: null, txHash }),
          step(context, 'complete', withdrawalId),
        );
      }
      case 'failed': {
        const { failure } = outcome;
        const after = await this.withdrawals.execute(
          withdrawalId,
          (now) => ({ kind: 'roll-back', from: 'processing', failure, now }),
          step(context, 'roll-back', withdrawalId, 'processing'),
        );
        if (after.status === 'rolled-back') await this.funds.release(after.terms, 'withdrawal-rolled-back', context);
        return after;
      }
    }
  }
}
