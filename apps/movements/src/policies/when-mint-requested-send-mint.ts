import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { MintRequested } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { SendMintCommand } from '../commands/send-mint';

@EventsHandler(MintRequested)
export class WhenMintRequestedSendMint implements IEventHandler<Recorded<MintRequested>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<MintRequested>): Promise<void> {
    await this.commands.execute(new SendMintCommand(event.data, causedBy(event, 'send-mint', 'when-mint-requested')));
  }
}
