import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionRestored } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { PostHouseLossCommand } from './post-house-loss.command';

/** Tokens that a reorg had taken are on the chain again. */
@EventsHandler(TransactionRestored)
export class WhenTransactionRestoredReverseLoss implements IEventHandler<Recorded<TransactionRestored>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionRestored>): Promise<void> {
    const { transactionId, purpose } = event.data;
    switch (purpose.kind) {
      case 'mint': {
        const { accountId, asset, amount } = purpose;
        const loss = { accountId, transactionId, causeId: event.id, loss: { asset, amount } };
        await this.commands.execute(
          new PostHouseLossCommand('reverse-loss', loss, causedBy(event, 'reverse-loss', 'when-transaction-restored')),
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
