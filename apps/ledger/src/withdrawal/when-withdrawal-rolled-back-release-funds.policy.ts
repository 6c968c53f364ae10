import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { WithdrawalRolledBack } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { AdvanceWithdrawalCommand } from './advance-withdrawal.command';

/** The funds go back also when the process that rolled the withdrawal back did not get that far. */
@EventsHandler(WithdrawalRolledBack)
export class WhenWithdrawalRolledBackReleaseFunds implements IEventHandler<Recorded<WithdrawalRolledBack>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<WithdrawalRolledBack>): Promise<void> {
    await this.commands.execute(
      new AdvanceWithdrawalCommand(
        event.data.withdrawalId,
        causedBy(event, 'release', 'when-withdrawal-rolled-back'),
        'rolled-back',
      ),
    );
  }
}
