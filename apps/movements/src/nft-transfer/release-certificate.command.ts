import { Injectable } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { behindEvent, stepContext } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import type { OpenedTransfer } from '../certificates/certificate.decider';
import { Certificates } from '../certificates/certificate.repository';
import { NftTransfers } from './nft-transfer.repository';

/** Makes the certificates of failed transfers active again. */
@Injectable()
export class ReleasedCertificates {
  constructor(
    private readonly transfers: NftTransfers,
    private readonly certificates: Certificates,
  ) {}

  /** Releases the certificate of a failed transfer. Does nothing if it was released already. */
  async ofTransfer(transferId: string, context: RequestContext): Promise<void> {
    const state = await this.transfers.load(transferId);
    if (state.status !== 'failed') return behindEvent(`NFT transfer ${transferId}`, state.status);
    await this.release(state.terms, context);
  }

  /** Releases a certificate that a failed transfer still reserves. */
  async ofFailure(certificateId: string, context: RequestContext): Promise<void> {
    const certificate = await this.certificates.load(certificateId);
    if (certificate.status !== 'transferring' || certificate.transfer === null) return;
    const { status } = await this.transfers.load(certificate.transfer.transferId);
    if (status === 'failed') await this.release(certificate.transfer, context);
  }

  private async release({ transferId, certificateId }: OpenedTransfer, context: RequestContext): Promise<void> {
    await this.certificates.execute(
      certificateId,
      (at) => ({ kind: 'release', transferId, at }),
      stepContext(context, 'nft-transfer', 'release-certificate', transferId),
    );
  }
}

/** Releases the certificate of a failed transfer. */
export class ReleaseCertificateCommand extends PayloadCommand<{ readonly transferId: string }> {}

@CommandHandler(ReleaseCertificateCommand)
export class ReleaseCertificateHandler implements ICommandHandler<ReleaseCertificateCommand> {
  constructor(private readonly certificates: ReleasedCertificates) {}

  execute({ payload: { transferId }, context }: ReleaseCertificateCommand): Promise<void> {
    return this.certificates.ofTransfer(transferId, context);
  }
}
