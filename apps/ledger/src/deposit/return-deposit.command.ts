import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { DepositVoidReason } from '@ponte/contracts';
import { behindEvent } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import { refundOf } from './deposit.state';
import { AdvanceDepositCommand } from './advance-deposit.command';
import { Deposits } from './deposits.repository';
import { step } from '../steps';

/** Sends a credited deposit back to its payer, after its money has left the books. */
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
    // The bank has already taken the money back.
    if (state.status === 'voided' && state.reason === 'taken-back') return;
    // Only a credited deposit leaves the books, so one without a return means that this process reads an old state.
    if (refundOf(state) === null) behindEvent(`deposit ${depositId}`, state.status);
    await this.commands.execute(new AdvanceDepositCommand({ depositId }, context));
  }
}
