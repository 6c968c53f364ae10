import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { OpenedNftTransfers } from './opened-nft-transfers';

/** Creates the transfer of a reservation whose request did not live to do it. */
export class OpenNftTransferCommand extends PayloadCommand<{
  readonly certificateId: string;
  readonly transferId: string;
}> {}

@CommandHandler(OpenNftTransferCommand)
export class OpenNftTransferHandler implements ICommandHandler<OpenNftTransferCommand> {
  constructor(private readonly transfers: OpenedNftTransfers) {}

  async execute({ payload: opened, context }: OpenNftTransferCommand): Promise<void> {
    try {
      await this.transfers.create(opened, context);
    } catch (error) {
      // Released already, or in favour of another body under the same key: there is nothing to create.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
