import type { OnApplicationBootstrap, Type } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Lease } from '@ponte/event-sourcing';
import { systemContext } from '@ponte/event-sourcing';
import type { Ids } from '@ponte/kernel';
import { LeasedJobs } from '@ponte/concurrency';
import type { ContextCommand } from '@ponte/nest';
import { IDS, LEASE, TIMERS } from '@ponte/nest';
import type { Timers } from '@ponte/concurrency';
import { ExpireChargesCommand } from './funding/expire-charges.command';
import { SweepFundsCommand } from './funding/sweep-funds.command';
import { RequestMissingSettlementsCommand } from './settlement/request-missing-settlements.command';

/** Milliseconds between runs. An unpaid brcode is closed within this time after its expiration. */
const EXPIRE_EVERY_MS = 2_000;
/** Milliseconds between runs. A forgotten hold is already a minute old, so a few more seconds do not matter. */
const SWEEP_EVERY_MS = 10_000;
/** Milliseconds between runs. A missing settlement is already minutes old, so half a minute more does not matter. */
const REQUEST_SETTLEMENTS_EVERY_MS = 30_000;

/** Runs the jobs of this service, on one replica at a time. */
@Injectable()
export class OrdersTimers implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;

  constructor(
    private readonly commands: CommandBus,
    @Inject(TIMERS) timers: Timers,
    @Inject(LEASE) lease: Lease,
    @Inject(IDS) private readonly ids: Ids,
  ) {
    this.jobs = new LeasedJobs(lease, 'orders-timers', timers);
  }

  onApplicationBootstrap(): void {
    this.every('orders-expire-charges', EXPIRE_EVERY_MS, ExpireChargesCommand);
    this.every('orders-sweep-funds', SWEEP_EVERY_MS, SweepFundsCommand);
    this.every('orders-request-missing-settlements', REQUEST_SETTLEMENTS_EVERY_MS, RequestMissingSettlementsCommand);
  }

  private every(name: string, everyMs: number, Run: Type<ContextCommand>): void {
    this.jobs.every({ name, everyMs, run: () => this.commands.execute(new Run(systemContext(this.ids, name))) });
  }
}
