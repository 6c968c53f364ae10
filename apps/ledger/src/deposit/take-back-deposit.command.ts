import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { PayloadCommand } from '@ponte/nest';
import { depositIdOf } from './deposit.state';
import { Deposits } from './deposits.repository';
import { step } from '../steps';

/**
 * The bank has taken a received Pix back (MED). This voids the deposit in any state. A policy of that event does the
 * rest, so a crash in between loses nothing.
 */
export class TakeBackDepositCommand extends PayloadCommand<{ readonly endToEndId: string }> {}

@CommandHandler(TakeBackDepositCommand)
export class TakeBackDepositHandler implements ICommandHandler<TakeBackDepositCommand> {
  constructor(private readonly deposits: Deposits) {}

  async execute({ payload: { endToEndId }, context }: TakeBackDepositCommand): Promise<void> {
    const depositId = depositIdOf(endToEndId);
    await this.deposits.execute(
      depositId,
      (now) => ({ kind: 'take-back', now }),
      step(context, 'take-back', depositId),
    );
  }
}
