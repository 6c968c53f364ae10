import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { Failure } from '@ponte/contracts';
import { behindEvent, stepContext } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import { CertificateMovements } from './certificate-movements';
import { Certificates } from './certificate.repository';

export interface CertificateOutcome {
  readonly certificateId: string;
  readonly txHash: string;
  /** Null when the token was minted. */
  readonly failure: Failure | null;
}

/** Records how the mint of a certificate ended on the chain. */
export class SettleCertificateCommand extends PayloadCommand<CertificateOutcome> {}

@CommandHandler(SettleCertificateCommand)
export class SettleCertificateHandler implements ICommandHandler<SettleCertificateCommand> {
  constructor(
    private readonly certificates: Certificates,
    private readonly movements: CertificateMovements,
  ) {}

  async execute({ payload: { certificateId, txHash, failure }, context }: SettleCertificateCommand): Promise<void> {
    const state = await this.certificates.load(certificateId);
    if (state.status === 'absent') return behindEvent(`certificate ${certificateId}`, state.status);
    if (!failure && state.status !== 'issued') return;
    if (!failure)
      await this.movements.assertMoved(txHash, { certificateId, from: null, to: state.terms.walletAddress });
    const once = stepContext(context, 'certificate', failure ? 'fail-mint' : 'note-minted', certificateId);
    await this.certificates.execute(
      certificateId,
      (at) => (failure ? { kind: 'fail-mint', txHash, failure, at } : { kind: 'note-minted', txHash, at }),
      once,
    );
  }
}
