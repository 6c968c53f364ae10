import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock, Decorator } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { OutgoingHttp } from '../outgoing-http/outgoing-http.port';
import { isDelivered } from '../outgoing-http/outgoing-http.port';
import { DeliveryQueues } from './delivery-queues.read-model';

const OUTCOMES = ['delivered', 'http-status', 'timed-out', 'connection-failed', 'target-refused'];

/** Counts attempts by outcome. The metrics contain no addresses and no endpoint ids. */
export const countingAttempts = (metrics: Metrics): Decorator<OutgoingHttp> => {
  const attempts = (outcome: string) => metrics.counter('ponte_webhook_attempts_total', { outcome });
  OUTCOMES.forEach(attempts);
  return (http) => ({
    post: async (request, origin) => {
      const answer = await http.post(request, origin);
      attempts(answer.kind === 'failed' ? answer.reason : isDelivered(answer) ? 'delivered' : 'http-status').inc();
      return answer;
    },
  });
};

/** Measures for how many seconds the oldest due delivery has waited for its attempt. */
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
