import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { reviewStageMachine } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS } from '@ponte/nest';
import { ReviewQueue } from './review-queue.read-model';

const STAGES = Object.keys(reviewStageMachine);
/** Pending requests are counted by stage. Ended requests are not counted. */
const STANDINGS = [...STAGES, 'approved', 'provisioning-failed'];

/** Metrics of account requests: how many are open, and since when the oldest of each stage waits. */
@Injectable()
export class RequestMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly queue: ReviewQueue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_account_requests_open', async () => {
      const counts = await this.queue.counts();
      return STANDINGS.map((standing) => ({ labels: { standing }, value: counts[standing] ?? 0 }));
    });
    this.metrics.measure('ponte_account_request_oldest_seconds', async () => {
      const oldest = await this.queue.oldest();
      const now = this.clock.now();
      return STAGES.map((stage) => ({ labels: { stage }, value: secondsSince(oldest[stage], now) }));
    });
  }
}
