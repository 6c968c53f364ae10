import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { Failure } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent, stepContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { ScreenTarget } from '../address-screening/screen-target.service';
import { RequestOrRefuse } from '../token-movement/request-or-refuse.service';
import { TokenDestinations } from '../token-movement/token-destinations.service';
import { chainOfToken } from '../token-movement/chain-values.domain';
import type { FailedTransfer } from './end-transfer.commands';
import { FailTransferCommand } from './end-transfer.commands';
import { FAILURES } from './transfer.errors';
import { Transfers } from './transfer.repository';

/**
 * Requests the movement of a transfer, unless its account was frozen in the meantime, its target is under review or its
 * receiver was closed.
 */
export class SendTransferCommand extends PayloadCommand<{ readonly transferId: string }> {}

@CommandHandler(SendTransferCommand)
export class SendTransferHandler implements ICommandHandler<SendTransferCommand> {
  constructor(
    private readonly transfers: Transfers,
    private readonly commands: CommandBus,
    private readonly screening: ScreenTarget,
    private readonly destinations: TokenDestinations,
    private readonly movements: RequestOrRefuse,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: { transferId }, context }: SendTransferCommand): Promise<void> {
    let state = await this.transfers.load(transferId);
    if (state.status === 'absent') return behindEvent(`transfer ${transferId}`, state.status);
    if (state.status === 'created' && !state.sending) {
      const { accountId } = state.terms;
      const account = await this.bus.request(GetAccount, { accountId }, context);
      if (account?.status !== 'active') return this.refuse(transferId, FAILURES.frozen, context);
      const subject = { kind: 'transfer', id: transferId } as const;
      const screeningId = derivedId('transfer', 'screen-target', context.commandId);
      const target = { ...state.terms, chain: chainOfToken(state.terms.asset) };
      const outcome = await this.screening.outcome(subject, target, context, screeningId);
      // The policy of `AddressReviewed` continues the transfer.
      if (outcome === 'waits') return;
      if (outcome === 'refused') return this.refuse(transferId, FAILURES.compliance, context);
      // Refused when the transfer was created, but it may have waited for a review since.
      if ((await this.destinations.lossAt(target.chain, target.targetAddress, context)) !== null)
        return this.refuse(transferId, FAILURES.lost, context);
      // From here on it ends by its transaction, or once its nonce is withheld, so that a second run cannot fail a
      // transfer that the first has sent.
      state = await this.transfers.execute(
        transferId,
        (at) => ({ kind: 'start-sending', at }),
        stepContext(context, 'transfer', 'start-sending', transferId),
      );
    }
    if (state.status !== 'created') return;
    const { accountId, asset, amount, targetAddress, sourceWalletId } = state.terms;
    const failure = await this.movements.request(
      'transfer',
      {
        movementId: transferId,
        owner: { kind: 'transfer', id: transferId },
        accountId,
        asset,
        amount,
        destination: targetAddress,
        sourceWalletId,
      },
      context,
    );
    if (failure !== null) await this.fail({ transferId, ended: true, txHash: null, failure }, context);
  }

  /** Ends a transfer of which nothing was sent. */
  private refuse(transferId: string, failure: Failure, context: RequestContext): Promise<void> {
    return this.fail({ transferId, ended: false, txHash: null, failure }, context);
  }

  private async fail(failed: FailedTransfer, context: RequestContext): Promise<void> {
    await this.commands.execute(new FailTransferCommand(failed, context));
  }
}
