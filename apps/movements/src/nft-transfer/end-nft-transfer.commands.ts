import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { behindEvent, stepContext } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import { CertificateMovements } from '../certificates/certificate-movements.service';
import { Certificates } from '../certificates/certificate.repository';
import { NftTransfers } from './nft-transfer.repository';
import type { FailedTransfer } from '../transfer/end-transfer.commands';

/** Ends a transfer whose movement has enough confirmations: delivers the certificate, then completes the transfer. */
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
    // A certificate that moved for a failed transfer needs an operator, so the event is parked.
    if (state.status === 'failed')
      throw new Error(`a certificate was moved for NFT transfer ${transferId}, which is ${state.status}`);
    const { certificateId, sourceAddress: from, targetAddress: address, receiver: holder } = state.terms;
    await this.movements.assertMoved(txHash, { certificateId, from, to: address });
    const step = (name: string) => stepContext(context, 'nft-transfer', name, transferId);
    await this.certificates.execute(
      certificateId,
      (at) => ({ kind: 'deliver', transferId, txHash, address, holder, at }),
      step('deliver'),
    );
    await this.transfers.execute(transferId, (at) => ({ kind: 'complete', txHash, at }), step('complete'));
  }
}

/** Ends a transfer that has moved nothing and never will. The policy of its failure releases the certificate. */
export class FailNftTransferCommand extends PayloadCommand<FailedTransfer> {}

@CommandHandler(FailNftTransferCommand)
export class FailNftTransferHandler implements ICommandHandler<FailNftTransferCommand> {
  constructor(private readonly transfers: NftTransfers) {}

  async execute({ payload: { transferId, ended, txHash, failure }, context }: FailNftTransferCommand): Promise<void> {
    const before = await this.transfers.load(transferId);
    if (before.status === 'absent') return behindEvent(`NFT transfer ${transferId}`, before.status);
    // An intended movement may still be mined, so only the chain can make it fail. The transfer fails first, so that
    // its certificate is not released while the transfer can still be sent.
    await this.transfers.execute(
      transferId,
      (at) => ({ kind: 'fail', ended, txHash, failure, at }),
      stepContext(context, 'nft-transfer', ended ? 'fail' : 'fail-unsent', transferId),
    );
  }
}
