import { Inject } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Timestamp } from '@ponte/contracts';
import { NO_CHARGES, PostExchange } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { Orders } from './orders';
import { step } from './steps';

export interface MintedTokens { readonly orderId: string; readonly txHash: string; readonly txTimestamp: Timestamp }

/** The tokens are on the chain: the books follow, then the order is completed. */
export class CompleteOrderCommand extends Command<void> {
  constructor(readonly minted: MintedTokens, readonly context: RequestContext) { super(); }
}

@CommandHandler(CompleteOrderCommand)
export class CompleteOrderHandler implements ICommandHandler<CompleteOrderCommand> {
  constructor(private readonly orders: Orders, @Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  async execute({ minted, context }: CompleteOrderCommand): Promise<void> {
    const { orderId, txHash, txTimestamp } = minted;
    // From here it goes on to its completion alone, and each step of that is made once.
    const state = await this.orders.load(orderId, ({ status }) => status === 'processing' || status === 'completed');
    if (state.status === 'completed') return;
    // Tokens without an order that waits for them are an alarm: the event is parked for a person.
    if (state.status !== 'processing') throw new Error(`tokens were minted for order ${orderId}, which is ${state.status}`);
    const { accountId, sourceAsset, sourceAmount, targetAsset, targetAmount, target } = state.terms;
    await this.bus.request(PostExchange, {
      accountId, orderId, holdId: state.holdId, custody: target.custody, charges: NO_CHARGES, deliveryHold: null,
      debit: { asset: sourceAsset, amount: sourceAmount }, credit: { asset: targetAsset, amount: targetAmount },
    }, step(context, 'post-exchange', orderId));
    await this.orders.carryOut(orderId, (at) => ({ kind: 'complete', at, txHash, txTimestamp }), step(context, 'complete', orderId));
  }
}
