import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { SuspenseSendingStarted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { SendSuspenseCommand } from './send-suspense.command';

/** Sends tokens in suspense to the address that two staff members named. */
@Policy(SuspenseSendingStarted)
export class WhenSendingStartedSendSuspense implements IEventHandler<Recorded<SuspenseSendingStarted>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<SuspenseSendingStarted>): Promise<void> {
    await this.commands.execute(
      new SendSuspenseCommand(event.data, causedBy(event, 'send-suspense', 'when-sending-started')),
    );
  }
}
