import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Metrics } from '@ponte/observability';
import { METRICS } from '@ponte/nest';
import { DoubleReturns } from './double-returns.read-model';

/** The number of double returns. It is counted in the read model, so no restart of a process hides one. */
@Injectable()
export class DoubleReturnMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly doubleReturns: DoubleReturns,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_double_returns', async () => [{ value: await this.doubleReturns.count() }]);
  }
}
