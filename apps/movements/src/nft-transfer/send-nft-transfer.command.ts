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
import { Sender } from '../sending/sender.service';
import { TokenDestinations } from '../token-movement/token-destinations.service';
import { CERTIFICATE_CHAIN } from '../certificates/certificate-purpose';
import { CertificateMovements } from '../certificates/certificate-movements.service';
import type { OpenedTransfer } from '../certificates/certificate.decider';
import { FailNftTransferCommand } from './end-nft-transfer.commands';
import { NFT_FAILURES } from './nft-transfer.errors';
import { NftTransfers } from './nft-transfer.repository';

/**
 * Requests the movement of a created NFT transfer, unless its account was frozen in the meantime, its wallet does not
 * hold the certificate, its target is under review, or its receiver was closed.
 */
export class SendNftTransferCommand extends PayloadCommand<{ readonly transferId: string }> {}

@CommandHandler(SendNftTransferCommand)
export class SendNftTransferHandler implements ICommandHandler<SendNftTransferCommand> {
  constructor(
    private readonly transfers: NftTransfers,
    private readonly movements: CertificateMovements,
    private readonly sender: Sender,
    private readonly commands: CommandBus,
    private readonly screening: ScreenTarget,
    private readonly destinations: TokenDestinations,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: { transferId }, context }: SendNftTransferCommand): Promise<void> {
    const step = (name: string) => stepContext(context, 'nft-transfer', name, transferId);
    let state = await this.transfers.load(transferId);
    if (state.status === 'absent') return behindEvent(`NFT transfer ${transferId}`, state.status);
    if (state.status === 'created' && !state.sending) {
      const failure = await this.failureBefore(state.terms, context);
      if (failure) return this.fail(transferId, failure, context);
      const subject = { kind: 'nft-transfer', id: transferId } as const;
      const commandId = derivedId('nft-transfer', 'screen-target', context.commandId);
      const target = { ...state.terms, chain: CERTIFICATE_CHAIN, asset: null, amount: null };
      const outcome = await this.screening.outcome(subject, target, context, commandId);
      // The policy of `AddressReviewed` continues the transfer.
      if (outcome === 'waits') return;
      if (outcome === 'refused') return this.fail(transferId, NFT_FAILURES.compliance, context);
      // Refused when the transfer was created, but it may have waited for a review since.
      if ((await this.destinations.lossAt(CERTIFICATE_CHAIN, target.targetAddress, context)) !== null)
        return this.fail(transferId, NFT_FAILURES.lost, context);
      // From here on only the chain can end it, so that a second run cannot fail a transfer that the first has sent.
      state = await this.transfers.execute(transferId, (at) => ({ kind: 'start-sending', at }), step('start-sending'));
    }
    if (state.status !== 'created') return;
    const { accountId, certificateId, sourceWalletId: walletId, sourceAddress: from, targetAddress: to } = state.terms;
    const purpose = { kind: 'nft-movement', id: transferId, accountId, certificateId, walletId, from, to } as const;
    await this.sender.request(purpose, CERTIFICATE_CHAIN, step('request-movement'));
  }

  /** Ends a transfer of which nothing was sent. */
  private async fail(transferId: string, failure: Failure, context: RequestContext): Promise<void> {
    const failed = { transferId, ended: false, txHash: null, failure };
    await this.commands.execute(new FailNftTransferCommand(failed, context));
  }

  /** Why the transfer must not be sent; null when it may. */
  private async failureBefore(
    { accountId, certificateId, sourceAddress }: OpenedTransfer,
    context: RequestContext,
  ): Promise<Failure | null> {
    const account = await this.bus.request(GetAccount, { accountId }, context);
    if (account?.status !== 'active') return NFT_FAILURES.frozen;
    return (await this.movements.isHeldBy(certificateId, sourceAddress)) ? null : NFT_FAILURES.notOwned;
  }
}
