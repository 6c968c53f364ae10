import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { PayloadCommand } from '@ponte/nest';
import { NftTransfers } from '../nft-transfer/nft-transfer.repository';
import type { MovedResource } from './transfer.domain';
import { Transfers } from './transfer.repository';

/** Records that the signed bytes of a transfer are stored and being sent. */
export class NoteTransferPendingCommand extends PayloadCommand<{
  readonly transfer: MovedResource;
  /** Hash of the bytes that are sent now, and of those that they replace with higher fees. */
  readonly sent: { readonly txHash: string; readonly replaces: string | null };
}> {}

@CommandHandler(NoteTransferPendingCommand)
export class NoteTransferPendingHandler implements ICommandHandler<NoteTransferPendingCommand> {
  constructor(
    private readonly transfers: Transfers,
    private readonly nftTransfers: NftTransfers,
  ) {}

  async execute({ payload: { transfer, sent }, context }: NoteTransferPendingCommand): Promise<void> {
    const transfers = transfer.kind === 'transfer' ? this.transfers : this.nftTransfers;
    await transfers.execute(transfer.transferId, (at) => ({ kind: 'note-pending', ...sent, at }), context);
  }
}
