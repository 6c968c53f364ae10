import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ReviewWithdrawal, WithdrawalRecord } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { AdvanceWithdrawalCommand } from '../withdrawal/advance-withdrawal.command';
import { VerdictReasons } from './verdict-reasons.service';
import { created } from '../withdrawal/withdrawal.state';
import { recordOf } from '../withdrawal/withdrawal.record';
import { Withdrawals } from '../withdrawal/withdrawals.repository';

/** A staff member decides on a withdrawal whose address is named by sanctions lists. */
export class ReviewWithdrawalCommand extends RequestCommand<typeof ReviewWithdrawal> {}

@CommandHandler(ReviewWithdrawalCommand)
export class ReviewWithdrawalHandler implements ICommandHandler<ReviewWithdrawalCommand> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly reasons: VerdictReasons,
    private readonly commands: CommandBus,
  ) {}

  async execute({ payload, context }: ReviewWithdrawalCommand): Promise<WithdrawalRecord> {
    const { withdrawalId, version, verdict, staffId } = payload;
    const withdrawal = created(await this.withdrawals.load(withdrawalId));
    if (!withdrawal) return refuse('withdrawal-not-found', 'there is no such withdrawal', 'id');
    const reason = await this.reasons.sealed(withdrawal.terms.accountId, payload.reason, context);
    const verdictOf = (now: string) => ({ kind: 'review', version, verdict, reason, staffId, now }) as const;
    await this.withdrawals.execute(withdrawalId, verdictOf, context);
    // Sends the withdrawal or releases its funds. The sweep does the same if this process dies here.
    await this.commands.execute(new AdvanceWithdrawalCommand({ withdrawalId }, context));
    const known = created(await this.withdrawals.load(withdrawalId));
    return known ? recordOf(known) : refuse('withdrawal-not-found', 'there is no such withdrawal', 'id');
  }
}
