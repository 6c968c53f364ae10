import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { AdvanceWithdrawal, WithdrawalRecord } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { AdvanceWithdrawalCommand } from '../withdrawal/advance-withdrawal.command';
import { created, paymentIdOf } from '../withdrawal/withdrawal.state';
import { recordOf } from '../withdrawal/withdrawal.record';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import { PAYOUT_SANDBOX } from './payouts.port';
import type { PayoutSandbox } from './payouts.port';

/** Sandbox only: makes the simulated bank settle a held or slow payment, and advances the withdrawal at once. */
export class AdvanceInSandboxCommand extends RequestCommand<typeof AdvanceWithdrawal> {}

@CommandHandler(AdvanceInSandboxCommand)
export class AdvanceInSandboxHandler implements ICommandHandler<AdvanceInSandboxCommand> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly commands: CommandBus,
    @Inject(PAYOUT_SANDBOX) private readonly bank: PayoutSandbox | null,
  ) {}

  async execute({
    payload: { withdrawalId, accountIds },
    context,
  }: AdvanceInSandboxCommand): Promise<WithdrawalRecord | null> {
    if (this.bank === null) throw new Unavailable('service-unavailable');
    const known = created(await this.withdrawals.load(withdrawalId));
    if (
      !known ||
      !(
        accountIds.includes(known.terms.accountId) ||
        (known.terms.parentId !== null && accountIds.includes(known.terms.parentId))
      )
    )
      return null;
    await this.commands.execute(new AdvanceWithdrawalCommand({ withdrawalId }, context));
    if (await this.bank.settle(paymentIdOf(withdrawalId)))
      await this.commands.execute(new AdvanceWithdrawalCommand({ withdrawalId }, context));
    return recordOf(created(await this.withdrawals.load(withdrawalId)) ?? known);
  }
}
