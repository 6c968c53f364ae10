import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransferCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { SendTransferCommand } from './send-transfer.command';

@Policy(TransferCreated)
export class WhenTransferCreatedSendIt implements IEventHandler<Recorded<TransferCreated>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransferCreated>): Promise<void> {
    await this.commands.execute(new SendTransferCommand(event.data, causedBy(event, 'send', 'when-transfer-created')));
  }
}
