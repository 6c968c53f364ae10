import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { PayloadCommand } from '@ponte/nest';
import { NftTransfers } from './nft-transfer.repository';

/** The transfer's signed bytes are stored and on their way. */
export class NoteNftTransferPendingCommand extends PayloadCommand<{
  readonly transferId: string;
  /** Hash of the bytes that go out now, and of those whose fees they raise. */
  readonly sent: { readonly txHash: string; readonly replaces: string | null };
}> {}

@CommandHandler(NoteNftTransferPendingCommand)
export class NoteNftTransferPendingHandler implements ICommandHandler<NoteNftTransferPendingCommand> {
  constructor(private readonly transfers: NftTransfers) {}

  async execute({ payload: { transferId, sent }, context }: NoteNftTransferPendingCommand): Promise<void> {
    await this.transfers.execute(transferId, (at) => ({ kind: 'note-pending', ...sent, at }), context);
  }
}
