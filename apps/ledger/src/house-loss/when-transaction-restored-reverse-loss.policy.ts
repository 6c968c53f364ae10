import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionRestored } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { HouseLosses } from './house-losses';
import { PostHouseLossCommand } from './post-house-loss.command';

/** What a reorg had taken back is on the chain again. */
@EventsHandler(TransactionRestored)
export class WhenTransactionRestoredReverseLoss implements IEventHandler<Recorded<TransactionRestored>> {
  constructor(
    private readonly commands: CommandBus,
    private readonly losses: HouseLosses,
  ) {}

  async handle(event: Recorded<TransactionRestored>): Promise<void> {
    const context = causedBy(event, 'reverse-loss', 'when-transaction-restored');
    const loss = await this.losses.of(event, context);
    if (loss) await this.commands.execute(new PostHouseLossCommand('reverse-loss', loss, context));
  }
}
