import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionFeeRaised, TransactionSigned } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { NoteTransferPendingCommand } from './note-transfer-pending.command';
import { transferOf } from './transfer.domain';

type Signed = Recorded<TransactionSigned | TransactionFeeRaised>;

/** Raised fees give the transaction a new hash, with which it will most likely be mined. */
@Policy(TransactionSigned, TransactionFeeRaised)
export class WhenTransactionSignedNotePending implements IEventHandler<Signed> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Signed): Promise<void> {
    const { purpose, txHash } = event.data;
    const transfer = purpose && transferOf(purpose);
    if (!transfer) return;
    const sent = { txHash, replaces: event.type === 'TransactionFeeRaised' ? event.data.replaces : null };
    const context = causedBy(event, 'note-pending', 'when-transaction-signed');
    await this.commands.execute(new NoteTransferPendingCommand({ transfer, sent }, context));
  }
}
