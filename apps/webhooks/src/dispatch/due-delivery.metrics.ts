import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import { DeliveryQueues } from './delivery-queues.read-model';

/** Measures for how many seconds the oldest due delivery has waited, except at endpoints that are failing. */
@Injectable()
export class DueDeliveryMetrics implements OnModuleInit {
  constructor(
    private readonly queues: DeliveryQueues,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_webhook_oldest_due_seconds', async () => {
      const now = this.clock.now();
      const oldest = await this.queues.oldestDue(isoTime(now));
      return [{ value: oldest === null ? 0 : Math.max(0, now - Date.parse(oldest)) / 1000 }];
    });
  }
}
