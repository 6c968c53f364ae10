import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionFeeRaised, TransactionSigned } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { NoteNftTransferPendingCommand } from './note-nft-transfer-pending.command';

/** Raised fees give the transaction another hash, under which it will most likely be mined. */
@EventsHandler(TransactionSigned, TransactionFeeRaised)
export class WhenTransactionSignedNoteNftPending implements IEventHandler<
  Recorded<TransactionSigned | TransactionFeeRaised>
> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionSigned | TransactionFeeRaised>): Promise<void> {
    const { purpose, txHash } = event.data;
    const replaces = event.type === 'TransactionFeeRaised' ? event.data.replaces : null;
    if (purpose?.kind !== 'nft-movement') return;
    const context = causedBy(event, 'note-nft-pending', 'when-transaction-signed');
    await this.commands.execute(
      new NoteNftTransferPendingCommand({ transferId: purpose.id, sent: { txHash, replaces } }, context),
    );
  }
}
