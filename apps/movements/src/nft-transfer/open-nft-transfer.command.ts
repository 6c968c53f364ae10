import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { PayloadCommand } from '@ponte/nest';
import { refuseNotOwned } from '../certificates/certificate.errors';
import { Certificates } from '../certificates/certificate.repository';
import type { NftTransfer } from './nft-transfer.decider';
import { NftTransfers } from './nft-transfer.repository';

interface Opened {
  readonly certificateId: string;
  readonly transferId: string;
}

/** Creates the transfer for which a certificate is reserved, from the terms in the reservation. */
@Injectable()
export class OpenedNftTransfers {
  constructor(
    private readonly certificates: Certificates,
    private readonly transfers: NftTransfers,
  ) {}

  /** Creates the transfer that a certificate is reserved for, unless it exists. */
  async createReserved(certificateId: string, context: RequestContext): Promise<void> {
    const certificate = await this.certificates.load(certificateId);
    if (certificate.status !== 'transferring' || certificate.transfer === null) return;
    const { transferId } = certificate.transfer;
    const state = await this.transfers.load(transferId);
    if (state.status === 'absent' || state.terms.certificateId !== certificateId)
      await this.createOrRelease({ certificateId, transferId }, context);
  }

  /** As `create`, for a request that has ended. */
  async createOrRelease(opened: Opened, context: RequestContext): Promise<void> {
    try {
      await this.create(opened, context);
    } catch (error) {
      // The certificate was released, by the end of its transfer or for another request with the same key.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /**
   * Returns the transfer, existing or new. If another request with the same key but another certificate was faster,
   * this certificate is released and the request refused.
   */
  async create({ certificateId, transferId }: Opened, context: RequestContext): Promise<NftTransfer> {
    const certificate = await this.certificates.load(certificateId);
    const terms = certificate.status === 'absent' ? null : certificate.transfer;
    // The transfer has ended by now, or never had the certificate.
    if (terms?.transferId !== transferId) {
      const state = await this.transfers.load(transferId);
      return state.status === 'absent' ? refuseNotOwned() : state;
    }
    const step = (name: string) => stepContext(context, 'nft-transfer', name, transferId, certificateId);
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

/** Creates the transfer of a reservation whose request ended in a crash. */
export class OpenNftTransferCommand extends PayloadCommand<Opened> {}

@CommandHandler(OpenNftTransferCommand)
export class OpenNftTransferHandler implements ICommandHandler<OpenNftTransferCommand> {
  constructor(private readonly transfers: OpenedNftTransfers) {}

  execute({ payload: opened, context }: OpenNftTransferCommand): Promise<void> {
    return this.transfers.createOrRelease(opened, context);
  }
}
