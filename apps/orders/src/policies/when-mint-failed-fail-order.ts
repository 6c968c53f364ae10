import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { MintFailed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { FailOrderCommand } from '../commands/fail-order';

/** A confirmed revert: nothing was minted and nothing will be. */
@EventsHandler(MintFailed)
export class WhenMintFailedFailOrder implements IEventHandler<Recorded<MintFailed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<MintFailed>): Promise<void> {
    const { orderId, failure } = event.data;
    await this.commands.execute(new FailOrderCommand(orderId, failure, causedBy(event, 'fail-order', 'when-mint-failed')));
  }
}
