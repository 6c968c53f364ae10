import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { AccountStatus, OrderRecord, Page, PageCursor } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { step } from '../order/order-ids.domain';
import { ALL_PROCESSING, OrderReadModel } from '../order/orders.read-model';
import { EndUnsignedOrderCommand } from './end-unsigned-order.command';

/** `ended` are rolled back; `sent` have a settlement that is being sent, or was confirmed. Ids of orders. */
export type UnsignedOrders =
  | { readonly outcome: 'not-frozen'; readonly status: AccountStatus | 'unknown' }
  | { readonly outcome: 'done'; readonly ended: readonly string[]; readonly sent: readonly string[] };

/**
 * Rolls back the processing orders of a frozen account for which nothing is sent, because they keep the account from
 * being closed. May be repeated: what was interrupted continues.
 */
export class EndUnsignedOrdersCommand extends PayloadCommand<{ readonly accountId: string }, UnsignedOrders> {}

const PAGE = 200;

@CommandHandler(EndUnsignedOrdersCommand)
export class EndUnsignedOrdersHandler implements ICommandHandler<EndUnsignedOrdersCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly readModel: OrderReadModel,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** The orders of an active account are settled; those of a closed one end by themselves. */
  async execute({ payload: { accountId }, context }: EndUnsignedOrdersCommand): Promise<UnsignedOrders> {
    const account = await this.bus.request(GetAccount, { accountId }, step(context, 'get-account', accountId));
    if (account?.status !== 'frozen') return { outcome: 'not-frozen', status: account?.status ?? 'unknown' };
    const [ended, sent]: [string[], string[]] = [[], []];
    for (const orderId of await this.processing(accountId)) {
      const isEnded = await this.end(orderId, context);
      (isEnded ? ended : sent).push(orderId);
    }
    return { outcome: 'done', ended, sent };
  }

  private async end(orderId: string, context: RequestContext): Promise<boolean> {
    const command = new EndUnsignedOrderCommand({ orderId, reason: 'account-not-active' }, context);
    return (await this.commands.execute(command)).ended;
  }

  private async processing(accountId: string): Promise<string[]> {
    const found: string[] = [];
    let cursor: PageCursor | null = null;
    do {
      const page = { limit: PAGE, cursor, createdFrom: null, createdTo: null };
      const { items, next }: Page<OrderRecord> = await this.readModel.page(accountId, ALL_PROCESSING, page);
      found.push(...items.map(({ id }) => id));
      cursor = next;
    } while (cursor !== null);
    return found;
  }
}
