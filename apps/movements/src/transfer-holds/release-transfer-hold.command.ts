import { Inject, Injectable } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { ReleaseHold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent, stepContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import type { TransferTerms } from '../transfer/transfer.decider';
import { Transfers } from '../transfer/transfer.repository';

/** Releases the holds of transfers that have failed or are about to. */
@Injectable()
export class TransferHolds {
  constructor(@Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  /** May be repeated: it takes effect once. */
  async release(
    { transferId, accountId, holdId }: Pick<TransferTerms, 'transferId' | 'accountId' | 'holdId'>,
    context: RequestContext,
  ): Promise<void> {
    await this.bus.request(
      ReleaseHold,
      { accountId, holdId, reason: 'transfer-failed', placed: true },
      stepContext(context, 'transfer', 'release-hold', transferId),
    );
  }
}

/** Releases the hold of a failed transfer; does nothing if it was released already. */
export class ReleaseTransferHoldCommand extends PayloadCommand<{ readonly transferId: string }> {}

@CommandHandler(ReleaseTransferHoldCommand)
export class ReleaseTransferHoldHandler implements ICommandHandler<ReleaseTransferHoldCommand> {
  constructor(
    private readonly transfers: Transfers,
    private readonly holds: TransferHolds,
  ) {}

  async execute({ payload: { transferId }, context }: ReleaseTransferHoldCommand): Promise<void> {
    const state = await this.transfers.load(transferId);
    if (state.status !== 'failed') return behindEvent(`transfer ${transferId}`, state.status);
    await this.holds.release(state.terms, context);
  }
}
