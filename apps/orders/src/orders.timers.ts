import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import type { Lease, LeaseGrant, RequestContext } from '@ponte/event-sourcing';
import type { Ids } from '@ponte/kernel';
import { IDS, LEASE, TIMERS, systemContext } from '@ponte/nest';
import type { Timers } from '@ponte/nest';
import { ExpireChargesCommand } from './commands/expire-charges';
import { SweepFundsCommand } from './commands/sweep-funds';
import { RequestMissingSettlementsCommand } from './order/request-missing-settlements.command';

/** A brcode ends within this time of its expiration, milliseconds. */
const EXPIRE_EVERY = 2_000;
/** What is forgotten is a minute old already, so it can wait a little, milliseconds. */
const SWEEP_EVERY = 10_000;
/** A missing mint is minutes old when it is looked for, so half a minute more is little, milliseconds. */
const MINTS_EVERY = 30_000;

/** The repeated work of this service, on one process at a time. */
@Injectable()
export class OrdersTimers implements OnApplicationBootstrap, OnApplicationShutdown {
  private asking: Promise<LeaseGrant | undefined> | undefined;
  private grant: LeaseGrant | undefined;

  constructor(
    private readonly commands: CommandBus,
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  onApplicationBootstrap(): void {
    this.every('orders-expire-charges', EXPIRE_EVERY, (context) => new ExpireChargesCommand(context));
    this.every('orders-sweep-funds', SWEEP_EVERY, (context) => new SweepFundsCommand(context));
    this.every(
      'orders-request-missing-settlements',
      MINTS_EVERY,
      (context) => new RequestMissingSettlementsCommand(context),
    );
  }

  /** The timers have stopped by now: no one asks for the lease any more. */
  async onApplicationShutdown(): Promise<void> {
    await this.grant?.release();
  }

  private every(name: string, milliseconds: number, command: (context: RequestContext) => Command<void>): void {
    this.timers.every(name, milliseconds, async (signal) => {
      if (await this.isGranted(signal)) await this.commands.execute(command(systemContext(this.ids, name)));
    });
  }

  /** One lease for both jobs, waited for once, and asked for again when it is lost. */
  private async isGranted(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.grant && !this.grant.lost.aborted) return true;
    this.asking ??= this.lease.acquire('orders-timers', signal);
    this.grant = await this.asking;
    this.asking = undefined;
    return this.grant !== undefined;
  }
}
