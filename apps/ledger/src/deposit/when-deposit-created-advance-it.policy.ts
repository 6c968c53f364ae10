import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { DepositCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { AdvanceDepositCommand } from './advance-deposit.command';

/**
 * A payment that was taken note of is judged, posted and credited, or sent back; the event is done with when that is.
 */
@EventsHandler(DepositCreated)
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
