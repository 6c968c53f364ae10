import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionSigned } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { NoteTransferPendingCommand } from './note-transfer-pending.command';

@EventsHandler(TransactionSigned)
export class WhenTransactionSignedNotePending implements IEventHandler<Recorded<TransactionSigned>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionSigned>): Promise<void> {
    const { purpose, txHash } = event.data;
    if (purpose?.kind !== 'token-movement' || purpose.owner.kind !== 'transfer') return;
    await this.commands.execute(
      new NoteTransferPendingCommand(
        purpose.owner.id,
        txHash,
        causedBy(event, 'note-pending', 'when-transaction-signed'),
      ),
    );
  }
}
