import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { OrderRecord, Page, PageCursor } from '@ponte/contracts';
import { AccountReleased } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { RequestSettlementCommand } from './request-settlement.command';
import { ALL_PROCESSING, OrderReadModel } from '../order/orders.read-model';

const PAGE = 200;
/** Requests the settlements that a freeze stopped before anything was signed. Repeated requests are harmless. */
@EventsHandler(AccountReleased)
export class WhenAccountReleasedRequestSettlements implements IEventHandler<Recorded<AccountReleased>> {
  constructor(
    private readonly commands: CommandBus,
    private readonly readModel: OrderReadModel,
  ) {}

  async handle(event: Recorded<AccountReleased>): Promise<void> {
    const context = causedBy(event, 'request-settlements', 'when-account-released');
    let cursor: PageCursor | null = null;
    do {
      const { items, next }: Page<OrderRecord> = await this.readModel.page(event.data.accountId, ALL_PROCESSING, {
        limit: PAGE,
        cursor,
        createdFrom: null,
        createdTo: null,
      });
      for (const { id } of items) {
        const commandId = derivedId('settlement-after-release', context.commandId, id);
        await this.commands.execute(new RequestSettlementCommand({ orderId: id }, { ...context, commandId }));
      }
      cursor = next;
    } while (cursor !== null);
  }
}
