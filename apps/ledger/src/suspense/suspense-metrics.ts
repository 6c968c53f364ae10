import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Metrics } from '@ponte/observability';
import { METRICS } from '@ponte/nest';
import { DepositReadModel } from '../deposit/deposits.read-model';

/** Metrics of the deposits whose money is in suspense: 0 once staff have settled all of them. */
@Injectable()
export class SuspenseMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly readModel: DepositReadModel,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_failed_returns', async () => [
      { value: await this.readModel.countUnsettled('return-refused') },
    ]);
    this.metrics.measure('ponte_unallocated_receipts', async () => [
      { value: await this.readModel.countUnsettled('unallocated') },
    ]);
  }
}
