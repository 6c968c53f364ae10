import { Inject, Injectable } from '@nestjs/common';
import type { ReorgedAfterCompletion, TransactionRestored } from '@ponte/contracts';
import { ResolveWallet } from '@ponte/contracts';
import type { MessageBus, Recorded, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { lossPathOf } from './loss-path.domain';
import type { HouseLoss } from './post-house-loss.command';

/** Reads from the event what has to be posted, or posted back; null when nothing has. */
@Injectable()
export class HouseLosses {
  constructor(@Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  /** Rejects with `Unavailable` when the movements service does not answer: the event is handled again then. */
  async of(
    event: Recorded<ReorgedAfterCompletion | TransactionRestored>,
    context: RequestContext,
  ): Promise<HouseLoss | null> {
    const { transactionId, purpose, chain } = event.data;
    const mintedInCustody = purpose.kind === 'mint' && (await this.isWithUs(purpose, chain, context));
    const path = lossPathOf({ purpose, chain, mintedInCustody });
    if (path === null || purpose.kind === 'certificate-mint' || purpose.kind === 'nft-movement') return null;
    const { accountId, asset, amount } = purpose;
    return { accountId, transactionId, causeId: event.id, loss: { asset, amount }, path };
  }

  private async isWithUs(
    { accountId, to: address }: { readonly accountId: string; readonly to: string },
    chain: ReorgedAfterCompletion['data']['chain'],
    context: RequestContext,
  ): Promise<boolean> {
    const wallet = await this.bus.request(ResolveWallet, { accountId, chain, address }, context);
    return wallet !== null && (wallet.kind === 'internal' || wallet.ofAnotherAccount === true);
  }
}
