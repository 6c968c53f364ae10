import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { withCommandId } from '@ponte/event-sourcing';
import { Refusal, derivedId } from '@ponte/kernel';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { PayloadCommand } from '@ponte/nest';
import { refuseNotOwned } from '../certificates/certificate.errors';
import { Certificates } from '../certificates/certificate.repository';
import type { NftTransfer } from './nft-transfer.decider';
import { NftTransfers } from './nft-transfer.repository';

/** Makes the transfer that a certificate is reserved for, from the terms that the reservation carries. */
@Injectable()
export class OpenedNftTransfers {
  constructor(
    private readonly certificates: Certificates,
    private readonly transfers: NftTransfers,
  ) {}

  /**
   * The transfer, as it was before or as it is created now. When another body was faster under the same key, with
   * another certificate, this
   * certificate is released and the request refused.
   */
  async create(
    { certificateId, transferId }: { readonly certificateId: string; readonly transferId: string },
    context: RequestContext,
  ): Promise<NftTransfer> {
    const certificate = await this.certificates.load(certificateId);
    const terms = certificate.status === 'absent' ? null : certificate.transfer;
    // The transfer has ended meanwhile, or the certificate was never in it.
    if (terms?.transferId !== transferId) {
      const state = await this.transfers.load(transferId);
      return state.status === 'absent' ? refuseNotOwned() : state;
    }
    const step = (name: string) => withCommandId(derivedId('nft-transfer', name, transferId, certificateId), context);
    try {
      return await this.transfers.createIfAbsent(transferId, { kind: 'create', terms }, step('create'));
    } catch (error) {
      if (error instanceof Refusal) {
        await this.certificates.execute(certificateId, (at) => ({ kind: 'release', transferId, at }), step('give-up'));
      }
      throw error;
    }
  }
}

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
