import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { OutgoingHttp } from '../outgoing-http/outgoing-http.port';
import type { DeliveriesView } from '../deliveries/deliveries.read-model';

/** The outcomes of an attempt. */
const OUTCOMES = ['delivered', 'http-status', 'timed-out', 'connection-failed', 'target-refused'];

/** The outgoing HTTP port, with its attempts counted by outcome. Metrics contain no address and no endpoint. */
export function countingAttempts(http: OutgoingHttp, metrics: Metrics): OutgoingHttp {
  for (const outcome of OUTCOMES) metrics.counter('ponte_webhook_attempts_total', { outcome });
  const attempts = (outcome: string): void => metrics.counter('ponte_webhook_attempts_total', { outcome }).inc();
  return {
    close: () => http.close(),
    post: async (request, origin) => {
      const answer = await http.post(request, origin);
      attempts(answer.kind === 'failed' ? answer.reason : answer.status === 200 ? 'delivered' : 'http-status');
      return answer;
    },
  };
}

/** How long the oldest delivery that is due has waited for its attempt, in seconds. */
export function measureDue(view: DeliveriesView, metrics: Metrics, clock: Clock): void {
  metrics.measure('ponte_webhook_oldest_due_seconds', async () => {
    const now = clock.now();
    const oldest = await view.oldestDue(isoTime(now));
    return [{ value: oldest === null ? 0 : Math.max(0, now - Date.parse(oldest)) / 1000 }];
  });
}
