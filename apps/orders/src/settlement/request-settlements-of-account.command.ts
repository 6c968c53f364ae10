import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { OrderRecord, Page, PageCursor } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { ALL_PROCESSING, OrderReadModel } from '../order/orders.read-model';
import { RequestSettlementCommand } from './request-settlement.command';

/**
 * Requests the settlements of all processing orders of an account again, or rolls the orders back if their money is
 * gone. May be repeated.
 */
export class RequestSettlementsOfAccountCommand extends PayloadCommand<{ readonly accountId: string }> {}

const PAGE = 200;

@CommandHandler(RequestSettlementsOfAccountCommand)
export class RequestSettlementsOfAccountHandler implements ICommandHandler<RequestSettlementsOfAccountCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly readModel: OrderReadModel,
  ) {}

  async execute({ payload: { accountId }, context }: RequestSettlementsOfAccountCommand): Promise<void> {
    let cursor: PageCursor | null = null;
    do {
      const page = { limit: PAGE, cursor, createdFrom: null, createdTo: null };
      const { items, next }: Page<OrderRecord> = await this.readModel.page(accountId, ALL_PROCESSING, page);
      // One after the other: an order that is rolled back releases its hold, which may cover the next one.
      for (const { id } of items) {
        const commandId = derivedId('settlement-of-account', context.commandId, id);
        await this.commands.execute(new RequestSettlementCommand({ orderId: id }, { ...context, commandId }));
      }
      cursor = next;
    } while (cursor !== null);
  }
}
