import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionConfirmed, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { CompleteNftTransferCommand } from './complete-nft-transfer.command';
import { FailNftTransferCommand } from './fail-nft-transfer.command';
import { NFT_FAILURES, failureOfNftRevert } from './nft-transfer.errors';

type Ended = Recorded<TransactionConfirmed | TransactionReverted | TransactionSuperseded>;

/** Only the final end of its transaction ends an NFT transfer that was sent. */
@EventsHandler(TransactionConfirmed, TransactionReverted, TransactionSuperseded)
export class WhenTransactionEndedEndNftTransfer implements IEventHandler<Ended> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Ended): Promise<void> {
    const { purpose, txHash } = event.data;
    if (purpose.kind !== 'nft-movement') return;
    const { id: transferId } = purpose;
    const context = causedBy(event, 'end-nft-transfer', 'when-transaction-ended');
    if (event.type === 'TransactionConfirmed') {
      await this.commands.execute(new CompleteNftTransferCommand(transferId, txHash, context));
      return;
    }
    const failure =
      event.type === 'TransactionReverted' ? failureOfNftRevert(event.data.reason) : NFT_FAILURES.superseded;
    await this.commands.execute(new FailNftTransferCommand({ transferId, txHash, failure }, context));
  }
}
