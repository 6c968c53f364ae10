import { Inject } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { RequestMint } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { mintIdOf } from '../domain/order/ids';
import type { Order, PlacedOrder } from '../domain/order/order';
import { Orders } from './orders';
import { step } from './steps';

export interface CertainMoney {
  readonly orderId: string;
  /** The hold or charge that the order was placed with. */
  readonly fundingId: string;
  /** The hold that will be posted. */
  readonly holdId: string;
  /** The deposit that paid, of a brcode order. */
  readonly depositId: string | null;
}

/** The money is certain: the order starts processing and its tokens are asked for. Answers where the order stands then. */
export class StartOrderCommand extends Command<Order> {
  constructor(readonly money: CertainMoney, readonly context: RequestContext) { super(); }
}

/** Both in one go, without another hop over the log; whatever is repeated, the mint is asked for once. */
@CommandHandler(StartOrderCommand)
export class StartOrderHandler implements ICommandHandler<StartOrderCommand> {
  constructor(private readonly orders: Orders, @Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  async execute({ money, context }: StartOrderCommand): Promise<Order> {
    const { orderId, fundingId, holdId, depositId } = money;
    const state = await this.orders.carryOut(orderId, (at) => ({ kind: 'start', fundingId, holdId, depositId, at }), step(context, 'start', orderId));
    if (state.status === 'processing') await this.mint(state, context);
    return state;
  }

  private async mint({ terms }: PlacedOrder, context: RequestContext): Promise<void> {
    const { orderId, accountId, targetAsset: asset, targetAmount: amount, target } = terms;
    const wish = { mintId: mintIdOf(orderId), orderId, accountId, asset, amount, to: target.address };
    await this.bus.request(RequestMint, wish, step(context, 'request-mint', orderId));
  }
}
