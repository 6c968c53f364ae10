import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { DepositVoidReason } from '@ponte/contracts';
import { behindEvent } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import { refundOf } from './deposit.state';
import { AdvanceDepositCommand } from './advance-deposit.command';
import { Deposits } from './deposits.repository';
import { step } from '../steps';

/** The money of a credited deposit has left the books again: sends it back to its payer. */
export class ReturnDepositCommand extends PayloadCommand<{
  readonly depositId: string;
  readonly reason: DepositVoidReason;
}> {}

@CommandHandler(ReturnDepositCommand)
export class ReturnDepositHandler implements ICommandHandler<ReturnDepositCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly commands: CommandBus,
  ) {}

  async execute({ payload: { depositId, reason }, context }: ReturnDepositCommand): Promise<void> {
    const state = await this.deposits.execute(
      depositId,
      (now) => ({ kind: 'request-return', reason, now }),
      step(context, 'request-return', depositId),
    );
    // The bank has sent the money back by itself.
    if (state.status === 'voided' && state.reason === 'taken-back') return;
    // Only a credited deposit leaves the books, so one without a return is an old state.
    if (refundOf(state) === null) behindEvent(`deposit ${depositId}`, state.status);
    await this.commands.execute(new AdvanceDepositCommand({ depositId }, context));
  }
}
