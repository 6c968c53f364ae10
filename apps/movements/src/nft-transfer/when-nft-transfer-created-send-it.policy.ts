import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { NftTransferCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { SendNftTransferCommand } from './send-nft-transfer.command';

@Policy(NftTransferCreated)
export class WhenNftTransferCreatedSendIt implements IEventHandler<Recorded<NftTransferCreated>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<NftTransferCreated>): Promise<void> {
    const context = causedBy(event, 'send', 'when-nft-transfer-created');
    await this.commands.execute(new SendNftTransferCommand(event.data, context));
  }
}
