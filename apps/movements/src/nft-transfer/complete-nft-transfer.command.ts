import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { behindEvent, withCommandId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { CertificateMovements } from '../certificates/certificate-movements';
import { Certificates } from '../certificates/certificate.repository';
import { NftTransfers } from './nft-transfer.repository';

/** The movement has enough confirmations: the certificate is the receiver's, then the transfer is completed. */
export class CompleteNftTransferCommand extends PayloadCommand<{
  readonly transferId: string;
  readonly txHash: string;
}> {}

@CommandHandler(CompleteNftTransferCommand)
export class CompleteNftTransferHandler implements ICommandHandler<CompleteNftTransferCommand> {
  constructor(
    private readonly transfers: NftTransfers,
    private readonly certificates: Certificates,
    private readonly movements: CertificateMovements,
  ) {}

  async execute({ payload: { transferId, txHash }, context }: CompleteNftTransferCommand): Promise<void> {
    const state = await this.transfers.load(transferId);
    if (state.status === 'absent') return behindEvent(`NFT transfer ${transferId}`, state.status);
    if (state.status === 'completed') return;
    // A certificate that moved for a transfer that does not wait for it needs a person: the event is parked.
    if (state.status === 'failed')
      throw new Error(`a certificate was moved for NFT transfer ${transferId}, which is ${state.status}`);
    const { certificateId, sourceAddress: from, targetAddress: address, receiver: holder } = state.terms;
    await this.movements.assertMoved(txHash, { certificateId, from, to: address });
    const step = (name: string) => withCommandId(derivedId('nft-transfer', name, transferId), context);
    await this.certificates.execute(
      certificateId,
      (at) => ({ kind: 'deliver', transferId, txHash, address, holder, at }),
      step('deliver'),
    );
    await this.transfers.execute(transferId, (at) => ({ kind: 'complete', txHash, at }), step('complete'));
  }
}
