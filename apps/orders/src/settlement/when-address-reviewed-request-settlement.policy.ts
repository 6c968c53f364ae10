import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { AddressReviewed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { RequestSettlementCommand } from './request-settlement.command';

/** Continues an order after staff reviewed its external wallet: requests the settlement or rolls the order back. */
@Policy(AddressReviewed)
export class WhenAddressReviewedRequestSettlement implements IEventHandler<Recorded<AddressReviewed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AddressReviewed>): Promise<void> {
    const { subject, outcome } = event.data;
    if (subject.kind !== 'order' || outcome === 'waits') return;
    const context = causedBy(event, 'request-settlement', 'when-address-reviewed');
    await this.commands.execute(new RequestSettlementCommand({ orderId: subject.id }, context));
  }
}
