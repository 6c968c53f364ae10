import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { WithdrawalCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { AdvanceWithdrawalCommand } from './advance-withdrawal.command';

/** A new withdrawal is checked and sent at once, unless it waits for banking hours. */
@EventsHandler(WithdrawalCreated)
export class WhenWithdrawalCreatedAdvanceIt implements IEventHandler<Recorded<WithdrawalCreated>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<WithdrawalCreated>): Promise<void> {
    await this.commands.execute(
      new AdvanceWithdrawalCommand(
        event.data.withdrawalId,
        causedBy(event, 'advance', 'when-withdrawal-created'),
        'created',
      ),
    );
  }
}
