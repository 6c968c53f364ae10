import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { PayloadCommand } from '@ponte/nest';
import { Transfers } from './transfer.repository';

/** The transfer's signed bytes are stored and on their way. */
export class NoteTransferPendingCommand extends PayloadCommand<{
  readonly transferId: string;
  /** Hash of the bytes that go out now, and of those whose fees they raise. */
  readonly sent: { readonly txHash: string; readonly replaces: string | null };
}> {}

@CommandHandler(NoteTransferPendingCommand)
export class NoteTransferPendingHandler implements ICommandHandler<NoteTransferPendingCommand> {
  constructor(private readonly transfers: Transfers) {}

  async execute({ payload: { transferId, sent }, context }: NoteTransferPendingCommand): Promise<void> {
    await this.transfers.execute(transferId, (at) => ({ kind: 'note-pending', ...sent, at }), context);
  }
}
