import { Inject } from '@nestjs/common';
import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { OrderFilters, OrderRecord, Page, PageCursor } from '@ponte/contracts';
import { AccountReleased } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { AskForMintCommand } from '../commands/ask-for-mint';
import { ORDER_ROWS } from '../ports/order-rows';
import type { OrderRows } from '../ports/order-rows';

const PAGE = 200;
const PROCESSING: OrderFilters = { state: 'processing', quoteId: null, sourceAsset: null, targetAsset: null, externalId: null };
/** Orders that a freeze stopped before anything was signed go on; asking for a mint twice is asking once. */
@EventsHandler(AccountReleased)
export class WhenAccountReleasedRequestMints implements IEventHandler<Recorded<AccountReleased>> {
  constructor(private readonly commands: CommandBus, @Inject(ORDER_ROWS) private readonly rows: OrderRows) {}

  async handle(event: Recorded<AccountReleased>): Promise<void> {
    const context = causedBy(event, 'request-mints', 'when-account-released');
    let cursor: PageCursor | null = null;
    do {
      const { items, next }: Page<OrderRecord> = await this.rows.page(event.data.accountId, PROCESSING, { limit: PAGE, cursor, createdFrom: null, createdTo: null });
      for (const { id } of items) await this.commands.execute(new AskForMintCommand(id, { ...context, commandId: derivedId('mint-after-release', context.commandId, id) }));
      cursor = next;
    } while (cursor !== null);
  }
}
