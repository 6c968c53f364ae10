import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { NftTransfers } from './nft-transfer.repository';

/** The transfer's signed bytes are stored and on their way. */
export class NoteNftTransferPendingCommand extends Command<void> {
  constructor(
    readonly transferId: string,
    /** Hash of the bytes that go out now, and of those whose fees they raise. */
    readonly sent: { readonly txHash: string; readonly replaces: string | null },
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(NoteNftTransferPendingCommand)
export class NoteNftTransferPendingHandler implements ICommandHandler<NoteNftTransferPendingCommand> {
  constructor(private readonly transfers: NftTransfers) {}

  async execute({ transferId, sent, context }: NoteNftTransferPendingCommand): Promise<void> {
    await this.transfers.execute(transferId, (at) => ({ kind: 'note-pending', ...sent, at }), context);
  }
}
