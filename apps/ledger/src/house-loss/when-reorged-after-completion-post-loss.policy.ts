import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { ReorgedAfterCompletion } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { HouseLosses } from './house-losses';
import { PostHouseLossCommand } from './post-house-loss.command';

/** What is booked is not on the chain any more: the customer keeps it, and the house bears the loss. */
@EventsHandler(ReorgedAfterCompletion)
export class WhenReorgedAfterCompletionPostLoss implements IEventHandler<Recorded<ReorgedAfterCompletion>> {
  constructor(
    private readonly commands: CommandBus,
    private readonly losses: HouseLosses,
  ) {}

  async handle(event: Recorded<ReorgedAfterCompletion>): Promise<void> {
    const context = causedBy(event, 'post-loss', 'when-reorged-after-completion');
    const loss = await this.losses.of(event, context);
    if (loss) await this.commands.execute(new PostHouseLossCommand('post-loss', loss, context));
  }
}
