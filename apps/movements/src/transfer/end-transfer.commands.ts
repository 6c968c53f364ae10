import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ConfirmedMovement, Failure } from '@ponte/contracts';
import { PostTokenMovement } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { behindEvent, stepContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { TransferHolds } from '../transfer-holds/release-transfer-hold.command';
import { Transfers } from './transfer.repository';

interface MovedTransfer {
  readonly transferId: string;
  /**
   * Its receiver is the account whose wallet received the tokens, as recorded in the intent: that account is credited.
   * The terms of the transfer are older, and the wallet may not have existed then.
   */
  readonly confirmed: ConfirmedMovement;
}

/** Ends a transfer whose tokens have moved: posts the movement, then completes the transfer. */
export class CompleteTransferCommand extends PayloadCommand<MovedTransfer> {}

@CommandHandler(CompleteTransferCommand)
export class CompleteTransferHandler implements ICommandHandler<CompleteTransferCommand> {
  constructor(
    private readonly transfers: Transfers,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: { transferId, confirmed }, context }: CompleteTransferCommand): Promise<void> {
    const state = await this.transfers.load(transferId);
    if (state.status === 'completed') return;
    // Tokens that moved for a failed transfer need an operator, so the event is parked.
    if (state.status === 'absent') return behindEvent(`transfer ${transferId}`, state.status);
    if (state.status === 'failed')
      throw new Error(`tokens were moved for transfer ${transferId}, which is ${state.status}`);
    const { accountId, holdId, asset, amount } = state.terms;
    const step = (name: string) => stepContext(context, 'transfer', name, transferId);
    await this.bus.request(
      PostTokenMovement,
      {
        accountId,
        movementId: transferId,
        owner: { kind: 'transfer', id: transferId },
        holdId,
        debit: { asset, amount },
        receiverAccountId: confirmed.purpose.receiver?.accountId ?? null,
        confirmed,
      },
      step('post'),
    );
    const { txHash } = confirmed;
    await this.transfers.execute(transferId, (at) => ({ kind: 'complete', txHash, at }), step('complete'));
  }
}

export interface FailedTransfer {
  readonly transferId: string;
  /** Whether its transaction has ended or will never be signed. Otherwise only an unsent transfer fails. */
  readonly ended: boolean;
  /** Null when nothing was signed. */
  readonly txHash: string | null;
  readonly failure: Failure;
}

/** Ends a transfer that has moved nothing and never will. */
export class FailTransferCommand extends PayloadCommand<FailedTransfer> {}

@CommandHandler(FailTransferCommand)
export class FailTransferHandler implements ICommandHandler<FailTransferCommand> {
  constructor(
    private readonly transfers: Transfers,
    private readonly holds: TransferHolds,
  ) {}

  /**
   * The hold of an unsent transfer is released by the policy of its failure: until it has failed, another run could
   * send it. A movement that has ended on the chain cannot be sent again, so its hold is released first.
   */
  async execute({ payload: { transferId, ended, txHash, failure }, context }: FailTransferCommand): Promise<void> {
    const state = await this.transfers.load(transferId);
    if (state.status === 'absent') return behindEvent(`transfer ${transferId}`, state.status);
    if (ended) await this.holds.release(state.terms, context);
    await this.transfers.execute(
      transferId,
      (at) => ({ kind: 'fail', ended, txHash, failure, at }),
      stepContext(context, 'transfer', ended ? 'fail' : 'fail-unsent', transferId),
    );
  }
}
