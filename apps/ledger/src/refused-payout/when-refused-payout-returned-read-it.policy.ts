import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { DepositCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { ReadRefusedPayoutCommand } from './read-refused-payout.command';

/** Money of a refused payout came back, so the bank may have made it, however long after the last reading. */
@EventsHandler(DepositCreated)
export class WhenRefusedPayoutReturnedReadIt implements IEventHandler<Recorded<DepositCreated>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<DepositCreated>): Promise<void> {
    const { withdrawalId, unallocated } = event.data;
    if (withdrawalId === undefined || unallocated !== 'payment-refused') return;
    const context = causedBy(event, 'read-refused-payout', 'when-refused-payout-returned');
    await this.commands.execute(new ReadRefusedPayoutCommand({ withdrawalId, seen: 'rolled-back' }, context));
  }
}
