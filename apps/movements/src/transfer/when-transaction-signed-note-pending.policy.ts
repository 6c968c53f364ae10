import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionFeeRaised, TransactionSigned } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { NoteTransferPendingCommand } from './note-transfer-pending.command';

/** Raised fees give the transaction another hash, under which it will most likely be mined. */
@EventsHandler(TransactionSigned, TransactionFeeRaised)
export class WhenTransactionSignedNotePending implements IEventHandler<
  Recorded<TransactionSigned | TransactionFeeRaised>
> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionSigned | TransactionFeeRaised>): Promise<void> {
    const { purpose, txHash } = event.data;
    const replaces = event.type === 'TransactionFeeRaised' ? event.data.replaces : null;
    if (purpose?.kind !== 'token-movement' || purpose.owner.kind !== 'transfer') return;
    await this.commands.execute(
      new NoteTransferPendingCommand(
        { transferId: purpose.owner.id, sent: { txHash, replaces } },
        causedBy(event, 'note-pending', 'when-transaction-signed'),
      ),
    );
  }
}
