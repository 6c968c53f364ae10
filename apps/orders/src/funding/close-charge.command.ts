import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { ClosePixCharge } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import type { WaitingCharge } from '../order/orders.read-model';
import { SettleChargeCommand } from './settle-charge.command';
import { withoutDeadline } from '../order/order-ids.domain';

/** Closes a charge after its expiration, whether or not its order was placed, and settles the outcome. */
export class CloseChargeCommand extends PayloadCommand<WaitingCharge> {}

/**
 * Closes the charge at the bank before it reads the outcome, so that a payment that settled in time but was reported
 * late is honoured.
 */
@CommandHandler(CloseChargeCommand)
export class CloseChargeHandler implements ICommandHandler<CloseChargeCommand> {
  constructor(
    private readonly commands: CommandBus,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: charge, context }: CloseChargeCommand): Promise<void> {
    const { orderId, accountId, txid } = charge;
    const outcome = await this.bus.request(ClosePixCharge, { txid }, withoutDeadline(context, 'close-charge', txid));
    if (outcome.state === 'open') throw new Error(`charge ${txid} is still open after it was closed`);
    await this.commands.execute(new SettleChargeCommand({ orderId, accountId, txid, outcome }, context));
  }
}
