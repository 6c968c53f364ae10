import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { Failure } from '@ponte/contracts';
import { ReleaseHold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent, withCommandId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { Transfers } from './transfer.repository';

export interface FailedTransfer {
  readonly transferId: string;
  /** Whether its transaction has ended, or will never be signed. Otherwise only one that was not sent fails. */
  readonly ended: boolean;
  /** Null when nothing was signed. */
  readonly txHash: string | null;
  readonly failure: Failure;
}

/** Nothing was moved and nothing will be: the transfer fails and its hold is released. */
export class FailTransferCommand extends PayloadCommand<FailedTransfer> {}

@CommandHandler(FailTransferCommand)
export class FailTransferHandler implements ICommandHandler<FailTransferCommand> {
  constructor(
    private readonly transfers: Transfers,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: { transferId, ended, txHash, failure }, context }: FailTransferCommand): Promise<void> {
    const step = (name: string) => withCommandId(derivedId('transfer', name, transferId), context);
    // What was intended may still be mined: only the chain's word releases its hold.
    const before = await this.transfers.load(transferId);
    if (before.status === 'absent') return behindEvent(`transfer ${transferId}`, before.status);
    if (!ended) {
      const state = await this.transfers.execute(
        transferId,
        (at) => ({ kind: 'fail', ended, txHash, failure, at }),
        step('fail-unsent'),
      );
      if (state.status !== 'failed') return;
      await this.release(before.terms, step('release-hold'));
      return;
    }
    await this.release(before.terms, step('release-hold'));
    await this.transfers.execute(transferId, (at) => ({ kind: 'fail', ended, txHash, failure, at }), step('fail'));
  }

  private release(
    { accountId, holdId }: { readonly accountId: string; readonly holdId: string },
    context: RequestContext,
  ) {
    return this.bus.request(ReleaseHold, { accountId, holdId, reason: 'transfer-failed', placed: true }, context);
  }
}
