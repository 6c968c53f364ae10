import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { AddressReviewed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';

/** Credits or voids a deposit once staff have decided about its sender. */
@Policy(AddressReviewed)
export class WhenAddressReviewedAdvanceDeposit implements IEventHandler<Recorded<AddressReviewed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AddressReviewed>): Promise<void> {
    const { subject, outcome } = event.data;
    if (subject.kind !== 'deposit' || outcome === 'waits') return;
    const context = causedBy(event, 'advance-deposit', 'when-address-reviewed');
    await this.commands.execute(new AdvanceDepositCommand({ depositId: subject.id }, context));
  }
}
