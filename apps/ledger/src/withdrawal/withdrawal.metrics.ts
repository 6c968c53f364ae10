import { WITHDRAWAL_METHODS } from '@ponte/contracts';
import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS } from '@ponte/nest';
import { WithdrawalReadModel } from './withdrawals.read-model';

@Injectable()
export class WithdrawalMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly readModel: WithdrawalReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_withdrawals_open', async () =>
      (await this.readModel.open()).map(({ state, method, count }) => ({ labels: { state, method }, value: count })),
    );
    this.metrics.measure('ponte_withdrawal_oldest_seconds', async () => {
      const now = this.clock.now();
      const oldest = await this.readModel.oldestDue();
      return WITHDRAWAL_METHODS.map((method) => {
        const since = oldest.find((one) => one.method === method)?.since;
        return { labels: { method }, value: secondsSince(since, now) };
      });
    });
  }
}
