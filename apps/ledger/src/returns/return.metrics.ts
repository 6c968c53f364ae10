import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS } from '@ponte/nest';
import { DoubleReturns } from '../take-back/double-returns.read-model';
import { BlockedReturns } from './blocked-returns.read-model';
import { UnfinishedReturns } from './unfinished-returns.read-model';

/**
 * The ages of the oldest return that the bank has not finished, and of the oldest one that is blocked (0 without one),
 * and the number of double returns.
 */
@Injectable()
export class ReturnMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly unfinished: UnfinishedReturns,
    private readonly blocked: BlockedReturns,
    private readonly doubleReturns: DoubleReturns,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_return_oldest_seconds', async () => {
      return [{ value: secondsSince(await this.unfinished.oldest(), this.clock.now()) }];
    });
    this.metrics.measure('ponte_blocked_return_oldest_seconds', async () => {
      return [{ value: secondsSince(await this.blocked.oldest(), this.clock.now()) }];
    });
    // Counted in the read model, so no restart of a process hides one.
    this.metrics.measure('ponte_double_returns', async () => [{ value: await this.doubleReturns.count() }]);
  }
}
