import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS, READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { oldestDeposits } from '../waiting-work/oldest-deposits';

/** Metrics of deposits that are not credited yet. */
@Injectable()
export class DepositMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly readModel: DepositReadModel,
    @Inject(READ_MODELS) private readonly readModels: Kysely<unknown>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_deposits_open', async () =>
      (await this.readModel.open()).map(({ type, status, count }) => ({ labels: { type, status }, value: count })),
    );
    this.metrics.measure('ponte_deposit_oldest_seconds', async () => {
      const oldest = await oldestDeposits(this.readModels);
      return oldest.map(({ type, waitsFor: waits_for, since }) => ({
        labels: { type, waits_for },
        value: secondsSince(since, this.clock.now()),
      }));
    });
    // Only staff can confirm a created one. A confirmed one may have to wait for the release of its account.
    this.metrics.measure('ponte_usd_deposit_oldest_unconfirmed_seconds', async () => {
      const oldest = await this.readModel.oldestOpen(['created']);
      const since = oldest.find(({ type }) => type === 'manual-fx')?.since;
      return [{ value: secondsSince(since, this.clock.now()) }];
    });
  }
}
