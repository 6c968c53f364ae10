import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionConfirmed, TransactionGivenUp, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { MINT_FAILURES } from './certificate.errors';
import type { CertificateOutcome } from './settle-certificate.command';
import { SettleCertificateCommand } from './settle-certificate.command';

type Ended = Recorded<TransactionConfirmed | TransactionReverted | TransactionSuperseded | TransactionGivenUp>;

/** Only the end of its transaction ends a mint that was requested. */
@Policy(TransactionConfirmed, TransactionReverted, TransactionSuperseded, TransactionGivenUp)
export class WhenTransactionEndedSettleCertificate implements IEventHandler<Ended> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Ended): Promise<void> {
    const { purpose } = event.data;
    if (purpose.kind !== 'certificate-mint') return;
    await this.commands.execute(
      new SettleCertificateCommand(
        outcomeOf(event, purpose.id),
        causedBy(event, 'settle-certificate', 'when-transaction-ended'),
      ),
    );
  }
}

function outcomeOf({ type, data }: Ended, certificateId: string): CertificateOutcome {
  switch (type) {
    case 'TransactionConfirmed':
      return { certificateId, txHash: data.txHash, failure: null };
    case 'TransactionGivenUp':
      return { certificateId, txHash: data.txHash ?? null, failure: MINT_FAILURES.superseded };
    case 'TransactionReverted':
      return { certificateId, txHash: data.txHash, failure: MINT_FAILURES.reverted };
    case 'TransactionSuperseded':
      return { certificateId, txHash: data.txHash, failure: MINT_FAILURES.superseded };
  }
}
