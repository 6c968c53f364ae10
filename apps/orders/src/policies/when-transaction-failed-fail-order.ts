import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { FailOrderCommand } from '../commands/fail-order';
import { NOT_MINTED } from '../domain/order/failures';

type Failed = TransactionReverted | TransactionSuperseded;

/** A confirmed revert, or a nonce that went to another transaction for good: nothing was minted and nothing will be. */
@EventsHandler(TransactionReverted, TransactionSuperseded)
export class WhenTransactionFailedFailOrder implements IEventHandler<Recorded<Failed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<Failed>): Promise<void> {
    const { purpose } = event.data;
    switch (purpose.kind) {
      case 'mint':
        await this.commands.execute(new FailOrderCommand(purpose.orderId, NOT_MINTED, causedBy(event, 'fail-order', 'when-transaction-failed')));
        return;
      case 'token-movement':
      case 'certificate-mint':
      case 'nft-movement': return;
    }
  }
}
