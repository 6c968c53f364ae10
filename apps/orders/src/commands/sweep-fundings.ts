import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { ListOpenHolds, ListOverdueCharges } from '@ponte/contracts';
import type { Hold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { Metrics } from '@ponte/nest';
import { CLOCK, LOGGER, MESSAGE_BUS, METRICS } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Order } from '../domain/order/order';
import { owns, placed } from '../domain/order/order';
import { ORDERS_CONFIG } from '../ports/orders-settings';
import type { OrdersSettings } from '../ports/orders-settings';
import { CloseChargeCommand } from './close-charge';
import { forEach } from './for-each';
import { GiveUpFundingCommand } from './give-up-funding';
import { Orders } from './orders';

/** Gives up the holds and charges that a crash left without an order. */
export class SweepFundingsCommand extends Command<void> {
  constructor(readonly context: RequestContext) { super(); }
}

type OpenHold = Hold & { readonly accountId: string };

/** Far more than are ever in processing for a minute while the chain is well. */
const AT_ONCE = 1_000;

@CommandHandler(SweepFundingsCommand)
export class SweepFundingsHandler implements ICommandHandler<SweepFundingsCommand> {
  constructor(
    private readonly orders: Orders,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ORDERS_CONFIG) private readonly settings: OrdersSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly commands: CommandBus,
  ) {}

  async execute({ context }: SweepFundingsCommand): Promise<void> {
    const now = this.clock.now();
    const placedBefore = isoTime(now - this.settings.forgottenSeconds * 1_000);
    const { holds } = await this.bus.request(ListOpenHolds, { ownerKind: 'order', placedBefore, limit: AT_ONCE }, context);
    let ownerless = 0;
    await forEach(holds, async (hold) => { if (await this.hold(hold, context)) ownerless += 1; }, (error, { owner }) => {
      this.logger.warn({ ...logged(context), err: error, orderId: owner.id }, 'a forgotten hold could not be given up; it is tried again');
    });
    this.metrics.set('ponte_holds_without_order', ownerless);
    const { charges } = await this.bus.request(ListOverdueCharges, { expiredBefore: isoTime(now), limit: AT_ONCE }, context);
    await forEach(charges, (charge) => this.commands.execute(new CloseChargeCommand(charge, context)), (error, { orderId }) => {
      this.logger.warn({ ...logged(context), err: error, orderId }, 'an overdue charge could not be closed; it is tried again');
    });
  }

  /** True when it was one that no order needs. */
  private async hold({ holdId, owner, accountId }: OpenHold, context: RequestContext): Promise<boolean> {
    if (needs(await this.orders.load(owner.id), holdId)) return false;
    const { owned } = await this.commands.execute(new GiveUpFundingCommand({ orderId: owner.id, accountId, kind: 'account-balance', fundingId: holdId }, context));
    this.logger.info({ ...logged(context), orderId: owner.id, owned }, 'a hold that no order needs was given up');
    return true;
  }
}

/** Whether the order was placed with this hold and not rolled back: then it will post it, or has. */
function needs(state: Order, holdId: string): boolean {
  const existing = placed(state);
  return existing !== undefined && existing.status !== 'rolled-back' && owns(existing, holdId);
}
