import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Projector } from '@ponte/read-models';
import { runProjector } from '@ponte/read-models';
import type { Checkpoints, EventStore, Lease, LogSlice } from '@ponte/event-sourcing';
import { idOf } from '@ponte/event-sourcing';
import { VIEW_CHECKPOINTS, EVENT_STORE, LEASE, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { Orders } from '../../commands/orders';
import { ORDERS_READER } from '../rebuild';

/** No one waits for it: the rows are there already, but for those that a crash left out. */
const BREATH_MS = 100;

/** Repeats in the view whatever a crash, or a view that failed, left out after an accepted command. */
@Injectable()
export class CatchUpOrderReadModel implements OnApplicationBootstrap, OnApplicationShutdown {
  private projector: Projector | undefined;

  constructor(
    private readonly orders: Orders,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(VIEW_CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { store, checkpoints, lease, logger } = this;
    this.projector = runProjector({
      store,
      checkpoints,
      lease,
      logger,
      name: ORDERS_READER,
      categories: ['order'],
      lingerMs: BREATH_MS,
      apply: (slice) => this.apply(slice),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.projector?.stop();
  }

  /** One look at each order, however many of its events are in the slice. */
  private async apply(slice: LogSlice): Promise<void> {
    const newest = new Map(slice.events.map((event) => [idOf(event.stream), event.revision]));
    for (const [orderId, revision] of newest) await this.orders.catchUp(orderId, revision);
  }
}
