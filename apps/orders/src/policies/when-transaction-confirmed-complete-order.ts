import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionConfirmed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { CompleteOrderCommand } from '../commands/complete-order';

/** The tokens of the order have enough confirmations. */
@EventsHandler(TransactionConfirmed)
export class WhenTransactionConfirmedCompleteOrder implements IEventHandler<Recorded<TransactionConfirmed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionConfirmed>): Promise<void> {
    const { purpose, txHash, minedAt: txTimestamp } = event.data;
    switch (purpose.kind) {
      case 'mint': {
        const minted = { orderId: purpose.orderId, txHash, txTimestamp };
        await this.commands.execute(new CompleteOrderCommand(minted, causedBy(event, 'complete-order', 'when-transaction-confirmed')));
        return;
      }
      case 'token-movement':
      case 'certificate-mint':
      case 'nft-movement': return;
    }
  }
}
