import { Inject } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { GetAccount, RequestMint } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { mintIdOf } from '../domain/order/ids';
import type { OrderTerms } from '../domain/order/order';
import { Orders } from './orders';
import { step } from './steps';

/** Asks for the tokens of an order that is processing. Repeating it is safe: an order has one mint. */
export class AskForMintCommand extends Command<void> {
  constructor(readonly orderId: string, readonly context: RequestContext) { super(); }
}

@CommandHandler(AskForMintCommand)
export class AskForMintHandler implements ICommandHandler<AskForMintCommand> {
  constructor(private readonly orders: Orders, @Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  async execute({ orderId, context }: AskForMintCommand): Promise<void> {
    const state = await this.orders.load(orderId, ({ status }) => status === 'processing');
    switch (state.status) {
      case 'processing': return this.request(orderId, state.terms, context);
      // The mint of an order that has ended was requested before, and has ended too.
      case 'completed':
      case 'rolled-back': return;
      case 'absent':
      case 'abandoned':
      case 'created': return behindEvent(`order ${orderId}`, state.status);
    }
  }

  private async request(orderId: string, { accountId, targetAsset: asset, targetAmount: amount, target }: OrderTerms, context: RequestContext): Promise<void> {
    // Nothing is signed for a frozen account: its release asks again, and the order stays as it is until then.
    if ((await this.bus.request(GetAccount, { accountId }, step(context, 'get-account', orderId)))?.status === 'frozen') return;
    const mint = { mintId: mintIdOf(orderId), orderId, accountId, asset, amount, to: target.address };
    await this.bus.request(RequestMint, mint, step(context, 'request-mint', orderId));
  }
}
