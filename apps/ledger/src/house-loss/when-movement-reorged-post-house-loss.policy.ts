import { Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { ReorgedAfterCompletion, ResolveWallet, TransactionRestored } from '@ponte/contracts';
import type { MessageBus, Recorded, RequestContext } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { MESSAGE_BUS, Policy } from '@ponte/nest';
import { lossPathOf } from './loss-path.domain';
import type { HouseLoss } from './post-house-loss.command';
import { PostHouseLossCommand } from './post-house-loss.command';

type Reorged = ReorgedAfterCompletion | TransactionRestored;

const STEPS = {
  // The booked movement is no longer on the chain: the customer keeps the balance, and the house bears the loss.
  ReorgedAfterCompletion: ['post-loss', 'when-reorged-after-completion'],
  // The movement is on the chain again.
  TransactionRestored: ['reverse-loss', 'when-transaction-restored'],
} as const;

/** Posts a house loss when a reorg removes a booked movement, and reverses it if the movement is back on the chain. */
@Policy(ReorgedAfterCompletion, TransactionRestored)
export class WhenMovementReorgedPostHouseLoss implements IEventHandler<Recorded<Reorged>> {
  constructor(
    private readonly commands: CommandBus,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async handle(event: Recorded<Reorged>): Promise<void> {
    const [kind, policy] = STEPS[event.type];
    const context = causedBy(event, kind, policy);
    const loss = await this.lossOf(event, context);
    if (loss) await this.commands.execute(new PostHouseLossCommand({ kind, loss }, context));
  }

  /** The loss to post or to reverse, or null. Rejects with `Unavailable` if the movements service does not answer. */
  private async lossOf(event: Recorded<Reorged>, context: RequestContext): Promise<HouseLoss | null> {
    const { transactionId, purpose, chain } = event.data;
    const mintedInCustody = purpose.kind === 'mint' && (await this.isInCustody(purpose, chain, context));
    const path = lossPathOf({ purpose, chain, mintedInCustody });
    if (path === null || purpose.kind === 'certificate-mint' || purpose.kind === 'nft-movement') return null;
    const { accountId, asset, amount } = purpose;
    const causedAt = event.meta.occurredAt;
    return { accountId, transactionId, causeId: event.id, causedAt, loss: { asset, amount }, path };
  }

  private async isInCustody(
    { accountId, to: address }: { readonly accountId: string; readonly to: string },
    chain: Reorged['data']['chain'],
    context: RequestContext,
  ): Promise<boolean> {
    const query = { accountId, chain, address, tokens: null };
    const { relation } = await this.bus.request(ResolveWallet, query, context);
    return relation !== null && (relation.kind === 'internal' || relation.ofAnotherAccount === true);
  }
}
