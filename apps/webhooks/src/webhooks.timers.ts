import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { LeasedJobs } from '@ponte/concurrency';
import type { Timers } from '@ponte/concurrency';
import type { Lease } from '@ponte/event-sourcing';
import { LEASE, TIMERS } from '@ponte/nest';
import { DELETE_EVERY_MS, DeleteOldDeliveries } from './deliveries/delete-old-deliveries.job';
import { SETTLE_EVERY_MS, SettleJournal } from './journal/settle-journal.job';

/** Runs the jobs of this service that keep its tables correct and small, on one replica at a time. */
@Injectable()
export class WebhooksTimers implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;

  constructor(
    private readonly settle: SettleJournal,
    private readonly deletion: DeleteOldDeliveries,
    @Inject(TIMERS) timers: Timers,
    @Inject(LEASE) lease: Lease,
  ) {
    this.jobs = new LeasedJobs(lease, 'webhooks-timers', timers);
  }

  onApplicationBootstrap(): void {
    this.jobs.every({
      name: 'webhook-journal',
      everyMs: SETTLE_EVERY_MS,
      run: (_grant, signal) => this.settle.run(signal),
    });
    this.jobs.every({
      name: 'webhook-retention',
      everyMs: DELETE_EVERY_MS,
      run: (_grant, signal) => this.deletion.run(signal),
    });
  }
}
