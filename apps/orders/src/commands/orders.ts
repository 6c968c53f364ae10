import { Inject, Injectable } from '@nestjs/common';
import type { OrderEvent } from '@ponte/contracts';
import { Aggregates, logged, RecentMap } from '@ponte/event-sourcing';
import type { Outcome, RequestContext, CommandSource } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER, commandContext } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Order, OrderCommand } from '../domain/order/order';
import { order } from '../domain/order/order';
import { ORDER_READ_MODEL } from '../ports/order-read-model';
import type { OrderReadModel } from '../ports/order-read-model';
import { rowOf } from '../views/orders';

/**
 * Orders whose row was written by this process lately; at least half of them are enough for what the projector is
 * behind.
 */
const REMEMBERED = 20_000;

/** The streams of orders, each accepted command followed by the view. */
@Injectable()
export class Orders {
  private readonly shown = new RecentMap<string, number>(REMEMBERED);

  constructor(
    private readonly aggregates: Aggregates,
    @Inject(ORDER_READ_MODEL) private readonly readModel: OrderReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The durable state of an order: as it is now, or one that was and suffices. */
  async load(orderId: string, suffices: (held: Order) => boolean = () => false): Promise<Order> {
    return (await this.aggregates.load(order, orderId, ({ state }) => suffices(state))).state;
  }

  /** Carries out a command once and has the view show what it came to before anybody is answered. */
  async carryOut(orderId: string, command: CommandSource<OrderCommand>, context: RequestContext): Promise<Order> {
    return this.followed(
      orderId,
      await this.aggregates.handle(order, orderId, command, commandContext(context, this.clock)),
      context,
    );
  }

  /** The same for a command that creates the order unless it exists. */
  async create(orderId: string, command: CommandSource<OrderCommand>, context: RequestContext): Promise<Order> {
    return this.followed(
      orderId,
      await this.aggregates.createIfAbsent(order, orderId, command, commandContext(context, this.clock)),
      context,
    );
  }

  private async followed(
    orderId: string,
    { state, revision, events }: Outcome<Order, OrderEvent>,
    context: RequestContext,
  ): Promise<Order> {
    if (events.length === 0) return state;
    try {
      await this.show(orderId, state, revision);
    } catch (error) {
      // A view that fails is no failure of the command: the projector catches it up.
      this.logger.warn({ ...logged(context), err: error, orderId }, 'the view of orders could not be written');
    }
    return state;
  }

  /** Has the view show the order at least at this revision. */
  async catchUp(orderId: string, atLeast: number): Promise<void> {
    if ((this.shown.get(orderId) ?? -1) >= atLeast) return;
    const { state, revision } = await this.aggregates.load(order, orderId, (held) => held.revision >= atLeast);
    await this.show(orderId, state, revision);
  }

  private async show(orderId: string, state: Order, revision: number): Promise<void> {
    const row = rowOf(state, revision);
    if (row) await this.readModel.put(row);
    this.shown.set(orderId, Math.max(revision, this.shown.get(orderId) ?? -1));
  }
}
