import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionConfirmed, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { CompleteTransferCommand } from './complete-transfer.command';
import { FailTransferCommand } from './fail-transfer.command';
import { FAILURES, failureOfRevert } from './transfer.errors';

type Ended = Recorded<TransactionConfirmed | TransactionReverted | TransactionSuperseded>;

/** Only the final end of its transaction ends a transfer that was sent. */
@EventsHandler(TransactionConfirmed, TransactionReverted, TransactionSuperseded)
export class WhenTransactionEndedEndTransfer implements IEventHandler<Ended> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Ended): Promise<void> {
    const { purpose, txHash } = event.data;
    if (purpose.kind !== 'token-movement' || purpose.owner.kind !== 'transfer') return;
    const transferId = purpose.owner.id;
    const context = causedBy(event, 'end-transfer', 'when-transaction-ended');
    switch (event.type) {
      case 'TransactionConfirmed':
        return this.commands.execute(
          new CompleteTransferCommand({ transferId, txHash, receiver: purpose.receiver }, context),
        );
      case 'TransactionReverted':
        return this.commands.execute(
          new FailTransferCommand({ transferId, txHash, failure: failureOfRevert(event.data.reason) }, context),
        );
      case 'TransactionSuperseded':
        return this.commands.execute(
          new FailTransferCommand({ transferId, txHash, failure: FAILURES.superseded }, context),
        );
    }
  }
}
