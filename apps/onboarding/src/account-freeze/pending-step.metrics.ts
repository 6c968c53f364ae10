import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { StandingStep } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS } from '@ponte/nest';
import { PendingSteps } from './pending-steps.read-model';

const STEPS: readonly StandingStep[] = ['freeze', 'release', 'close'];

/** The age of the oldest freeze, release and closing that waits for its second staff member; 0 if none waits. */
@Injectable()
export class PendingStepMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly pendingSteps: PendingSteps,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_account_step_oldest_seconds', async () => {
      const oldest = await this.pendingSteps.oldest();
      const now = this.clock.now();
      return STEPS.map((step) => ({ labels: { step }, value: secondsSince(oldest.get(step), now) }));
    });
  }
}
