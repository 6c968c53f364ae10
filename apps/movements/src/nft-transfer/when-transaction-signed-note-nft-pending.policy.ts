import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionSigned } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { NoteNftTransferPendingCommand } from './note-nft-transfer-pending.command';

@EventsHandler(TransactionSigned)
export class WhenTransactionSignedNoteNftPending implements IEventHandler<Recorded<TransactionSigned>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionSigned>): Promise<void> {
    const { purpose, txHash } = event.data;
    if (purpose?.kind !== 'nft-movement') return;
    const context = causedBy(event, 'note-nft-pending', 'when-transaction-signed');
    await this.commands.execute(new NoteNftTransferPendingCommand(purpose.id, txHash, context));
  }
}
