import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { DepositReversed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { ReturnDepositCommand } from './return-deposit.command';

/** Sends money that was reversed in the books back to its payer, even if the process that requested the return died. */
@Policy(DepositReversed)
export class WhenDepositReversedReturnIt implements IEventHandler<Recorded<DepositReversed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<DepositReversed>): Promise<void> {
    const { depositId, reason, holdId } = event.data;
    // Money that the bank took back is already with its payer.
    if (holdId === null) return;
    await this.commands.execute(
      new ReturnDepositCommand({ depositId, reason }, causedBy(event, 'return', 'when-deposit-reversed')),
    );
  }
}
