import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { Failure } from '@ponte/contracts';
import { behindEvent, stepContext } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import { CertificateMovements } from './certificate-movements.service';
import { Certificates } from './certificate.repository';

export type CertificateOutcome = { readonly certificateId: string } & (
  | { readonly txHash: string; readonly failure: null }
  /** `txHash` is null when nothing was signed. */
  | { readonly txHash: string | null; readonly failure: Failure }
);

/** Records how the mint of a certificate ended on the chain. */
export class SettleCertificateCommand extends PayloadCommand<CertificateOutcome> {}

@CommandHandler(SettleCertificateCommand)
export class SettleCertificateHandler implements ICommandHandler<SettleCertificateCommand> {
  constructor(
    private readonly certificates: Certificates,
    private readonly movements: CertificateMovements,
  ) {}

  async execute({ payload, context }: SettleCertificateCommand): Promise<void> {
    const { certificateId } = payload;
    const state = await this.certificates.load(certificateId);
    if (state.status === 'absent') return behindEvent(`certificate ${certificateId}`, state.status);
    if (!payload.failure && state.status !== 'issued') return;
    if (!payload.failure)
      await this.movements.assertMoved(payload.txHash, { certificateId, from: null, to: state.terms.walletAddress });
    const once = stepContext(context, 'certificate', payload.failure ? 'fail-mint' : 'note-minted', certificateId);
    await this.certificates.execute(
      certificateId,
      (at) =>
        payload.failure
          ? { kind: 'fail-mint', txHash: payload.txHash, ended: true, failure: payload.failure, at }
          : { kind: 'note-minted', txHash: payload.txHash, at },
      once,
    );
  }
}
