import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each, ReportLimit, SweepCount } from '@ponte/concurrency';
import { ListOpenHolds, ListOverdueCharges } from '@ponte/contracts';
import type { ChargeCursor, Hold, HoldCursor, OverdueCharge, Timestamp } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { failureText, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, ContextCommand, LOGGER, MESSAGE_BUS, METRICS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Order } from '../order/order.state';
import { owns, placed } from '../order/order.state';
import { ORDERS_CONFIG } from '../order/orders-settings.port';
import type { OrdersSettings } from '../order/orders-settings.port';
import { CloseChargeCommand } from './close-charge.command';
import { ReleaseFundsCommand } from './release-funds.command';
import { Orders } from '../order/orders.repository';

/** Releases the holds and closes the charges that a crash left without an order. */
export class SweepFundsCommand extends ContextCommand {}

type OpenHold = Hold & { readonly accountId: string; readonly placedAt: Timestamp };

/** The page size of the lists of holds and charges. */
const AT_ONCE = 1_000;

@CommandHandler(SweepFundsCommand)
export class SweepFundsHandler implements ICommandHandler<SweepFundsCommand> {
  /** The last hold of the page that the last run looked at; null after the last page. */
  private after: HoldCursor | null = null;
  /** Holds that the last run could not release. */
  private unreleased: readonly OpenHold[] = [];
  private readonly ownerless: SweepCount;
  private readonly reports = new ReportLimit();

  constructor(
    private readonly orders: Orders,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SYSTEM_CLOCK) systemClock: Clock,
    @Inject(ORDERS_CONFIG) private readonly settings: OrdersSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) metrics: Metrics,
    private readonly commands: CommandBus,
  ) {
    this.ownerless = new SweepCount(systemClock);
    metrics.measure('ponte_holds_without_order', async () => [{ value: this.ownerless.value() }]);
  }

  async execute({ context }: SweepFundsCommand): Promise<void> {
    const now = this.clock.now();
    await this.ownerless.run(
      (found) => this.releaseHolds(isoTime(now - this.settings.forgottenSeconds * 1_000), found, context),
      () => this.closeCharges(isoTime(now), context),
    );
  }

  /**
   * Looks at the page after the one of the last run, and at the holds that the last run could not release. Every page
   * has its turn, because old holds of orders in progress could fill the first one.
   */
  private async releaseHolds(placedBefore: Timestamp, found: () => void, context: RequestContext): Promise<void> {
    const { holds } = await this.bus.request(
      ListOpenHolds,
      { ownerKind: 'order', placedBefore, limit: AT_ONCE, after: this.after },
      context,
    );
    const last = holds.length < AT_ONCE ? undefined : holds.at(-1);
    this.after = last ? { placedAt: last.placedAt, holdId: last.holdId } : null;
    const due = new Map([...this.unreleased, ...holds].map((hold) => [hold.holdId, hold]));
    await this.releaseUnneeded([...due.values()], found, context);
  }

  /** Reads every page, because charges that cannot be closed could fill a page and hide the others. */
  private async closeCharges(expiredBefore: Timestamp, context: RequestContext): Promise<void> {
    for (let after: ChargeCursor | null = null; ;) {
      const { charges }: { charges: readonly OverdueCharge[] } = await this.bus.request(
        ListOverdueCharges,
        { expiredBefore, limit: AT_ONCE, after },
        context,
      );
      await each(
        charges,
        ({ txid, orderId, accountId }) =>
          this.commands.execute(new CloseChargeCommand({ txid, orderId, accountId }, context)),
        (error, { orderId }) => {
          this.reports.note(`charge ${failureText(error)}`, (repeats) =>
            this.logger.warn(
              { ...logged(context), err: error, orderId, ...repeats },
              'an overdue charge could not be closed; the next run retries',
            ),
          );
        },
      );
      const last = charges.at(-1);
      if (charges.length < AT_ONCE || !last) return;
      after = { expiration: last.expiration, txid: last.txid };
    }
  }

  /** Releases the holds that no order needs, and calls `found` for each. */
  private async releaseUnneeded(holds: readonly OpenHold[], found: () => void, context: RequestContext): Promise<void> {
    const unreleased: OpenHold[] = [];
    await each(
      holds,
      async (hold) => {
        if (needs(await this.orders.load(hold.owner.id), hold.holdId)) return;
        found();
        await this.release(hold, context);
      },
      (error, hold) => {
        unreleased.push(hold);
        this.reports.note(`hold ${failureText(error)}`, (repeats) =>
          this.logger.warn(
            { ...logged(context), err: error, orderId: hold.owner.id, ...repeats },
            'a forgotten hold could not be released; the next run retries',
          ),
        );
      },
    );
    // Those that are left out are found again on their page.
    this.unreleased = unreleased.slice(0, AT_ONCE);
  }

  private async release({ holdId, owner, accountId }: OpenHold, context: RequestContext): Promise<void> {
    const { owned } = await this.commands.execute(
      new ReleaseFundsCommand({ orderId: owner.id, accountId, kind: 'account-balance', fundingId: holdId }, context),
    );
    this.logger.info({ ...logged(context), orderId: owner.id, owned }, 'a hold that no order needs was released');
  }
}

/** Whether the order was placed with this hold and not rolled back, so that it has posted or will post it. */
function needs(state: Order, holdId: string): boolean {
  const existing = placed(state);
  return existing !== undefined && existing.status !== 'rolled-back' && owns(existing, holdId);
}
