import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { AccountStatus } from '@ponte/contracts';
import { stoppingReasonsOf } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { OrderReadModel } from '../order/orders.read-model';
import { standingOf } from './blocked-money';
import { EndUnsignedOrderCommand } from './end-unsigned-order.command';
import { processingOrders } from './processing-orders';

/**
 * `ended` are rolled back; `sent` have a settlement that is being sent, or was confirmed; `kept` were paid by Pix code.
 * Ids of orders. `blocked`: nothing was done, because the account is or is to be frozen for `reasons`.
 */
type UnsignedOrdersOutcome =
  | { readonly outcome: 'not-frozen'; readonly status: AccountStatus | 'unknown' }
  | { readonly outcome: 'blocked'; readonly reasons: readonly string[] }
  | ({ readonly outcome: 'done' } & Readonly<Record<'ended' | 'sent' | 'kept', readonly string[]>>);

interface EndUnsignedOrders {
  readonly accountId: string;
  /** Whether orders that were paid by Pix code end too, whose payments are then returned to their payers. */
  readonly returnsPayments: boolean;
}

/**
 * Rolls back the processing orders of a frozen account for which nothing is sent, because they keep the account from
 * being closed. May be repeated: what was interrupted continues.
 */
export class EndUnsignedOrdersCommand extends PayloadCommand<EndUnsignedOrders, UnsignedOrdersOutcome> {}

@CommandHandler(EndUnsignedOrdersCommand)
export class EndUnsignedOrdersHandler implements ICommandHandler<EndUnsignedOrdersCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly readModel: OrderReadModel,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** The orders of an active account are settled; those of a closed one end by themselves. */
  async execute({ payload, context }: EndUnsignedOrdersCommand): Promise<UnsignedOrdersOutcome> {
    const { accountId, returnsPayments } = payload;
    const standing = await standingOf(this.bus, accountId, context);
    const status = standing?.account.status;
    if (!standing || status !== 'frozen') return { outcome: 'not-frozen', status: status ?? 'unknown' };
    const reasons = stoppingReasonsOf(standing);
    if (returnsPayments && reasons.length > 0) return { outcome: 'blocked', reasons };
    const found = { ended: [] as string[], sent: [] as string[], kept: [] as string[] };
    for (const { id, paymentMethod } of await processingOrders(this.readModel, accountId)) {
      const isKept = async () =>
        paymentMethod === 'brcode' && !(returnsPayments && (await this.mayReturn(accountId, context)));
      if (await isKept()) found.kept.push(id);
      else if (await this.end(id, context)) found.ended.push(id);
      // A freeze may have begun meanwhile.
      else found[(await isKept()) ? 'kept' : 'sent'].push(id);
    }
    return { outcome: 'done', ...found };
  }

  /** Asked before each order: a payment that was returned cannot be got back. */
  private async mayReturn(accountId: string, context: RequestContext): Promise<boolean> {
    const standing = await standingOf(this.bus, accountId, context);
    return standing?.account.status === 'frozen' && stoppingReasonsOf(standing).length === 0;
  }

  private async end(orderId: string, context: RequestContext): Promise<boolean> {
    const command = new EndUnsignedOrderCommand({ orderId, reason: 'account-not-active' }, context);
    return (await this.commands.execute(command)).ended;
  }
}
