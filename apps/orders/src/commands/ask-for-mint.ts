import { Inject } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { GetAccount, RequestMint } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { mintIdOf } from '../domain/order/ids';
import { Orders } from './orders';
import { step } from './steps';

/** Asks for the tokens of an order that is processing; whatever is repeated, the mint is asked for once. */
export class AskForMintCommand extends Command<void> {
  constructor(readonly orderId: string, readonly context: RequestContext) { super(); }
}

@CommandHandler(AskForMintCommand)
export class AskForMintHandler implements ICommandHandler<AskForMintCommand> {
  constructor(private readonly orders: Orders, @Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  async execute({ orderId, context }: AskForMintCommand): Promise<void> {
    // One that has moved on has been asked for already, and is the same mint.
    const state = await this.orders.load(orderId, ({ status }) => status === 'processing');
    if (state.status !== 'processing') return;
    // Nothing is signed for a frozen account: its release asks again, and the order stays as it is until then.
    if ((await this.bus.request(GetAccount, { accountId: state.terms.accountId }, step(context, 'get-account', orderId)))?.status === 'frozen') return;
    const { accountId, targetAsset: asset, targetAmount: amount, target } = state.terms;
    const wish = { mintId: mintIdOf(orderId), orderId, accountId, asset, amount, to: target.address };
    await this.bus.request(RequestMint, wish, step(context, 'request-mint', orderId));
  }
}
