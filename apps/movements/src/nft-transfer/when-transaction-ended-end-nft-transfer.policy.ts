import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { Failure } from '@ponte/contracts';
import { TransactionConfirmed, TransactionGivenUp, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { CompleteNftTransferCommand } from './complete-nft-transfer.command';
import { FailNftTransferCommand } from './fail-nft-transfer.command';
import { NFT_FAILURES, failureOfNftRevert } from './nft-transfer.errors';

type Failed = Recorded<TransactionReverted | TransactionSuperseded | TransactionGivenUp>;

/** Only the end of its transaction ends an NFT transfer that was sent: final on the chain, or never signed. */
@EventsHandler(TransactionConfirmed, TransactionReverted, TransactionSuperseded, TransactionGivenUp)
export class WhenTransactionEndedEndNftTransfer implements IEventHandler<Recorded<TransactionConfirmed> | Failed> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionConfirmed> | Failed): Promise<void> {
    const { purpose } = event.data;
    if (purpose.kind !== 'nft-movement') return;
    const { id: transferId } = purpose;
    const context = causedBy(event, 'end-nft-transfer', 'when-transaction-ended');
    if (event.type === 'TransactionConfirmed') {
      await this.commands.execute(new CompleteNftTransferCommand({ transferId, txHash: event.data.txHash }, context));
      return;
    }
    const txHash = event.type === 'TransactionGivenUp' ? null : event.data.txHash;
    const failed = { transferId, ended: true, txHash, failure: failureOf(event) };
    await this.commands.execute(new FailNftTransferCommand(failed, context));
  }
}

function failureOf(event: Failed): Failure {
  switch (event.type) {
    case 'TransactionReverted':
      return failureOfNftRevert(event.data.reason);
    case 'TransactionSuperseded':
      return NFT_FAILURES.superseded;
    case 'TransactionGivenUp':
      return NFT_FAILURES.compliance;
  }
}
