import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { DepositReversed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { ReturnDepositCommand } from './return-deposit.command';

/**
 * Money that was reversed in the books goes back to its payer, even when the process that requested the return died.
 */
@EventsHandler(DepositReversed)
export class WhenDepositReversedReturnIt implements IEventHandler<Recorded<DepositReversed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<DepositReversed>): Promise<void> {
    const { depositId, reason, holdId } = event.data;
    // What the bank took back by itself is with its payer.
    if (holdId === null) return;
    await this.commands.execute(
      new ReturnDepositCommand({ depositId, reason }, causedBy(event, 'return', 'when-deposit-reversed')),
    );
  }
}
