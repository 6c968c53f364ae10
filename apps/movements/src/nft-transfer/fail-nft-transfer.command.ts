import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { behindEvent, withCommandId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { Certificates } from '../certificates/certificate.repository';
import type { FailedTransfer } from '../transfer/fail-transfer.command';
import { NftTransfers } from './nft-transfer.repository';

/** Nothing was moved and nothing will be: the transfer fails and its certificate is active again. */
export class FailNftTransferCommand extends PayloadCommand<FailedTransfer> {}

@CommandHandler(FailNftTransferCommand)
export class FailNftTransferHandler implements ICommandHandler<FailNftTransferCommand> {
  constructor(
    private readonly transfers: NftTransfers,
    private readonly certificates: Certificates,
  ) {}

  async execute({ payload: { transferId, ended, txHash, failure }, context }: FailNftTransferCommand): Promise<void> {
    const step = (name: string) => withCommandId(derivedId('nft-transfer', name, transferId), context);
    const before = await this.transfers.load(transferId);
    if (before.status === 'absent') return behindEvent(`NFT transfer ${transferId}`, before.status);
    // What was intended may still be mined: only the word of the chain fails it then. First the transfer, so that the
    // certificate is
    // not free while its transfer can still be sent.
    const name = ended ? 'fail' : 'fail-unsent';
    const state = await this.transfers.execute(
      transferId,
      (at) => ({ kind: 'fail', ended, txHash, failure, at }),
      step(name),
    );
    if (state.status !== 'failed') return;
    const { certificateId } = before.terms;
    await this.certificates.execute(
      certificateId,
      (at) => ({ kind: 'release', transferId, at }),
      step('release-certificate'),
    );
  }
}
