import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { OrderReadModel } from '../order/orders.read-model';
import { processingOrders } from './processing-orders';
import { RequestSettlementCommand } from './request-settlement.command';

/**
 * Requests the settlements of all processing orders of an account again, or rolls the orders back if their money is
 * gone or their settlements have failed. May be repeated.
 */
export class RequestSettlementsOfAccountCommand extends PayloadCommand<{ readonly accountId: string }> {}

@CommandHandler(RequestSettlementsOfAccountCommand)
export class RequestSettlementsOfAccountHandler implements ICommandHandler<RequestSettlementsOfAccountCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly readModel: OrderReadModel,
  ) {}

  /**
   * Handles one order after the other, because an order that is rolled back releases its hold, which may cover the next
   * one. Orders paid by Pix code come first: if the payment of one was taken back, its hold is not covered, so until it
   * is released, the balance seems not to cover the other orders either. An order that fails does not stop those after
   * it; the first error is thrown at the end.
   */
  async execute({ payload: { accountId }, context }: RequestSettlementsOfAccountCommand): Promise<void> {
    const orders = await processingOrders(this.readModel, accountId);
    const errors: unknown[] = [];
    for (const { id } of [
      ...orders.filter(({ paymentMethod }) => paymentMethod === 'brcode'),
      ...orders.filter(({ paymentMethod }) => paymentMethod !== 'brcode'),
    ]) {
      const commandId = derivedId('settlement-of-account', context.commandId, id);
      const command = new RequestSettlementCommand({ orderId: id, again: true }, { ...context, commandId });
      await this.commands.execute(command).catch((error: unknown) => void errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }
}
