import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { Failure } from '@ponte/contracts';
import { TransactionConfirmed, TransactionGivenUp, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { CompleteTransferCommand } from './complete-transfer.command';
import { FailTransferCommand } from './fail-transfer.command';
import { FAILURES, failureOfRevert } from './transfer.errors';

type Failed = Recorded<TransactionReverted | TransactionSuperseded | TransactionGivenUp>;

/** Only the end of its transaction ends a transfer that was sent: final on the chain, or never signed. */
@EventsHandler(TransactionConfirmed, TransactionReverted, TransactionSuperseded, TransactionGivenUp)
export class WhenTransactionEndedEndTransfer implements IEventHandler<Recorded<TransactionConfirmed> | Failed> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionConfirmed> | Failed): Promise<void> {
    const { purpose } = event.data;
    if (purpose.kind !== 'token-movement' || purpose.owner.kind !== 'transfer') return;
    const transferId = purpose.owner.id;
    const context = causedBy(event, 'end-transfer', 'when-transaction-ended');
    if (event.type === 'TransactionConfirmed') {
      const { txHash } = event.data;
      await this.commands.execute(
        new CompleteTransferCommand({ transferId, txHash, receiver: purpose.receiver }, context),
      );
      return;
    }
    const txHash = event.type === 'TransactionGivenUp' ? null : event.data.txHash;
    const failed = { transferId, ended: true, txHash, failure: failureOf(event) };
    await this.commands.execute(new FailTransferCommand(failed, context));
  }
}

function failureOf(event: Failed): Failure {
  switch (event.type) {
    case 'TransactionReverted':
      return failureOfRevert(event.data.reason);
    case 'TransactionSuperseded':
      return FAILURES.superseded;
    // Of customers' transfers, only those are given up whose target was refused.
    case 'TransactionGivenUp':
      return FAILURES.compliance;
  }
}
