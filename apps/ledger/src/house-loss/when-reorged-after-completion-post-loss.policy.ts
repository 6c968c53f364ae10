import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { ReorgedAfterCompletion } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { PostHouseLossCommand } from './post-house-loss.command';

/** Issued tokens are not on the chain any more, and their owner keeps them: the house bears the loss. */
@EventsHandler(ReorgedAfterCompletion)
export class WhenReorgedAfterCompletionPostLoss implements IEventHandler<Recorded<ReorgedAfterCompletion>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<ReorgedAfterCompletion>): Promise<void> {
    const { transactionId, purpose } = event.data;
    switch (purpose.kind) {
      case 'mint': {
        const { accountId, asset, amount } = purpose;
        const loss = { accountId, transactionId, causeId: event.id, loss: { asset, amount } };
        await this.commands.execute(
          new PostHouseLossCommand('post-loss', loss, causedBy(event, 'post-loss', 'when-reorged-after-completion')),
        );
        return;
      }
      // Nothing is lost: the tokens are in the wallet that they had left, and go out or are burned again by themselves.
      // Certificates are not in the books.
      case 'redemption':
      case 'token-movement':
      case 'certificate-mint':
      case 'nft-movement':
        return;
    }
  }
}
