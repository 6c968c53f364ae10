import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { behindEvent, stepContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { Sender } from '../sending/sender.service';
import { CERTIFICATE_CHAIN } from './certificate-purpose';
import { MINT_FAILURES } from './certificate.errors';
import { Certificates } from './certificate.repository';

/** Requests the mint of an issued certificate, unless its account was frozen in the meantime. */
export class MintCertificateCommand extends PayloadCommand<{ readonly certificateId: string }> {}

@CommandHandler(MintCertificateCommand)
export class MintCertificateHandler implements ICommandHandler<MintCertificateCommand> {
  constructor(
    private readonly certificates: Certificates,
    private readonly sender: Sender,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: { certificateId }, context }: MintCertificateCommand): Promise<void> {
    const step = (name: string) => stepContext(context, 'certificate', name, certificateId);
    let state = await this.certificates.load(certificateId);
    if (state.status === 'absent') return behindEvent(`certificate ${certificateId}`, state.status);
    const { accountId, walletAddress: to } = state.terms;
    if (state.status === 'issued' && !state.minting) {
      const account = await this.bus.request(GetAccount, { accountId }, context);
      if (account?.status !== 'active') {
        const fail = { kind: 'fail-mint', txHash: null, failure: MINT_FAILURES.frozen } as const;
        await this.certificates.execute(certificateId, (at) => ({ ...fail, at }), step('fail-unsent'));
        return;
      }
      state = await this.certificates.execute(certificateId, (at) => ({ kind: 'start-mint', at }), step('start-mint'));
    }
    if (state.status !== 'issued') return;
    const purpose = { kind: 'certificate-mint', id: certificateId, accountId, to } as const;
    await this.sender.request(purpose, CERTIFICATE_CHAIN, step('mint'));
  }
}
