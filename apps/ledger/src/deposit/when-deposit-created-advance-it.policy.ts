import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { DepositCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { AdvanceDepositCommand } from './advance-deposit.command';

/** Validates, posts and credits a new deposit, or sends it back. The event is processed once that is done. */
@Policy(DepositCreated)
export class WhenDepositCreatedAdvanceIt implements IEventHandler<Recorded<DepositCreated>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<DepositCreated>): Promise<void> {
    await this.commands.execute(
      new AdvanceDepositCommand(
        { depositId: event.data.depositId },
        causedBy(event, 'advance', 'when-deposit-created'),
      ),
    );
  }
}
