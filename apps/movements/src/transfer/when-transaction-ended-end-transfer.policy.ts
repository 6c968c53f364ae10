import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { Failure, GiveUpReason } from '@ponte/contracts';
import { TransactionConfirmed, TransactionGivenUp, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded, RequestContext } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { CompleteNftTransferCommand, FailNftTransferCommand } from '../nft-transfer/end-nft-transfer.commands';
import { failureOfNftRevert } from '../nft-transfer/nft-transfer.errors';
import { CompleteTransferCommand, FailTransferCommand } from './end-transfer.commands';
import type { MovedResource } from './transfer.domain';
import { transferOf } from './transfer.domain';
import { FAILURES, failureOfRevert } from './transfer.errors';

/** The treasury does not pay customers' transfers, so they do not wait for its liquidity. Nor does a Pix pay them. */
const GIVEN_UP: Readonly<Record<GiveUpReason, Failure>> = {
  compliance: FAILURES.compliance,
  'amount-above-maximum': FAILURES.aboveMaximum,
  'account-not-active': FAILURES.frozen,
  'liquidity-unavailable': FAILURES.superseded,
  'payment-taken-back': FAILURES.superseded,
  refused: FAILURES.superseded,
  'key-unavailable': FAILURES.superseded,
};

type Failed = Recorded<TransactionReverted | TransactionSuperseded | TransactionGivenUp>;

/** Only the end of its transaction ends a sent transfer: final on the chain, or given up. */
@Policy(TransactionConfirmed, TransactionReverted, TransactionSuperseded, TransactionGivenUp)
export class WhenTransactionEndedEndTransfer implements IEventHandler<Recorded<TransactionConfirmed> | Failed> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionConfirmed> | Failed): Promise<void> {
    const transfer = transferOf(event.data.purpose);
    if (!transfer) return;
    const context = causedBy(event, 'end-transfer', 'when-transaction-ended');
    await (event.type === 'TransactionConfirmed'
      ? this.complete(transfer, event.data, context)
      : this.fail(transfer, event, context));
  }

  private complete(
    { transferId }: MovedResource,
    { purpose, chain, txHash, minedAt }: TransactionConfirmed['data'],
    context: RequestContext,
  ): Promise<void> {
    return this.commands.execute(
      purpose.kind === 'token-movement'
        ? new CompleteTransferCommand({ transferId, confirmed: { purpose, chain, txHash, minedAt } }, context)
        : new CompleteNftTransferCommand({ transferId, txHash }, context),
    );
  }

  private fail({ kind, transferId }: MovedResource, event: Failed, context: RequestContext): Promise<void> {
    const { txHash = null } = event.data;
    const isNft = kind === 'nft-transfer';
    const failure = failureOf(event, isNft ? failureOfNftRevert : failureOfRevert);
    const failed = { transferId, ended: true, txHash, failure };
    return this.commands.execute(
      isNft ? new FailNftTransferCommand(failed, context) : new FailTransferCommand(failed, context),
    );
  }
}

function failureOf(event: Failed, ofRevert: (reason: string) => Failure): Failure {
  switch (event.type) {
    case 'TransactionReverted':
      return ofRevert(event.data.reason);
    case 'TransactionSuperseded':
      return FAILURES.superseded;
    case 'TransactionGivenUp':
      return GIVEN_UP[event.data.reason];
  }
}
