import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { AddressReviewed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { SendNftTransferCommand } from '../nft-transfer/send-nft-transfer.command';
import { SendTransferCommand } from '../transfer/send-transfer.command';

/** When staff have decided about the target of a transfer, sends the transfer or makes it fail. */
@Policy(AddressReviewed)
export class WhenAddressReviewedGoOn implements IEventHandler<Recorded<AddressReviewed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AddressReviewed>): Promise<void> {
    const { subject, outcome } = event.data;
    if (outcome === 'waits') return;
    const context = causedBy(event, 'send', 'when-address-reviewed');
    const sent = { transferId: subject.id };
    if (subject.kind === 'transfer') await this.commands.execute(new SendTransferCommand(sent, context));
    if (subject.kind === 'nft-transfer') await this.commands.execute(new SendNftTransferCommand(sent, context));
  }
}
