import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { MintConfirmed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { CompleteOrderCommand } from '../commands/complete-order';

/** The tokens have enough confirmations. */
@EventsHandler(MintConfirmed)
export class WhenMintConfirmedCompleteOrder implements IEventHandler<Recorded<MintConfirmed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<MintConfirmed>): Promise<void> {
    const { orderId, txHash, txTimestamp } = event.data;
    await this.commands.execute(new CompleteOrderCommand({ orderId, txHash, txTimestamp }, causedBy(event, 'complete-order', 'when-mint-confirmed')));
  }
}
