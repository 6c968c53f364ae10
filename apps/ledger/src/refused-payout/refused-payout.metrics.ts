import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Metrics } from '@ponte/observability';
import { METRICS } from '@ponte/nest';
import { RefusedPayouts } from './refused-payouts.read-model';

/** The number of refused payouts that were made. It is counted in the read model, so it survives restarts. */
@Injectable()
export class RefusedPayoutMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly payouts: RefusedPayouts,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_refused_payouts_made', async () => [{ value: await this.payouts.countMade() }]);
  }
}
