import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionConfirmed, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { MINT_FAILURES } from './certificate.errors';
import { SettleCertificateCommand } from './settle-certificate.command';

type Ended = Recorded<TransactionConfirmed | TransactionReverted | TransactionSuperseded>;

const FAILURE_OF = {
  TransactionConfirmed: null,
  TransactionReverted: MINT_FAILURES.reverted,
  TransactionSuperseded: MINT_FAILURES.superseded,
} as const;

/** Only the end of its transaction ends a mint that was sent. */
@EventsHandler(TransactionConfirmed, TransactionReverted, TransactionSuperseded)
export class WhenTransactionEndedSettleCertificate implements IEventHandler<Ended> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Ended): Promise<void> {
    const { purpose, txHash } = event.data;
    if (purpose.kind !== 'certificate-mint') return;
    const outcome = { certificateId: purpose.id, txHash, failure: FAILURE_OF[event.type] };
    await this.commands.execute(
      new SettleCertificateCommand(outcome, causedBy(event, 'settle-certificate', 'when-transaction-ended')),
    );
  }
}
