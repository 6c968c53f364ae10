import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import type { Lease, RequestContext } from '@ponte/event-sourcing';
import type { Ids } from '@ponte/kernel';
import { LeasedJobs } from '@ponte/concurrency';
import { IDS, LEASE, TIMERS, systemContext } from '@ponte/nest';
import type { Timers } from '@ponte/concurrency';
import { ExpireChargesCommand } from './funding/expire-charges.command';
import { SweepFundsCommand } from './funding/sweep-funds.command';
import { RequestMissingSettlementsCommand } from './settlement/request-missing-settlements.command';

/** A brcode ends within this time of its expiration, milliseconds. */
const EXPIRE_EVERY = 2_000;
/** What is forgotten is a minute old already, so it can wait a little, milliseconds. */
const SWEEP_EVERY = 10_000;
/** A missing mint is minutes old when it is looked for, so half a minute more is little, milliseconds. */
const MINTS_EVERY = 30_000;

/** The repeated work of this service, on one process at a time. */
@Injectable()
export class OrdersTimers implements OnApplicationBootstrap, OnApplicationShutdown {
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
    this.every('orders-expire-charges', EXPIRE_EVERY, (context) => new ExpireChargesCommand(context));
    this.every('orders-sweep-funds', SWEEP_EVERY, (context) => new SweepFundsCommand(context));
    this.every(
      'orders-request-missing-settlements',
      MINTS_EVERY,
      (context) => new RequestMissingSettlementsCommand(context),
    );
  }

  onApplicationShutdown(): Promise<void> {
    return this.jobs.stop();
  }

  private every(name: string, everyMs: number, command: (context: RequestContext) => Command<void>): void {
    this.jobs.every({ name, everyMs, run: () => this.commands.execute(command(systemContext(this.ids, name))) });
  }
}
