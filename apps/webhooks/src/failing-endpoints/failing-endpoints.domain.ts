import type {
  DeliveredAtOnce,
  DeliveryAttemptFailed,
  DeliveryEvent,
  DeliverySucceeded,
  EndpointDisabledReason,
} from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { addSeconds } from '@ponte/kernel';
import { FAILING_LIMIT_SECONDS, IDLE_SECONDS } from '../deliveries/retry-schedule.domain';

/** The outcome of an attempt that the receiver, or its absence, decided. */
export type Answered = Recorded<DeliveredAtOnce> | Recorded<DeliverySucceeded> | Recorded<DeliveryAttemptFailed>;

/** Since when an endpoint has been failing without a success, and when it failed last (ISO 8601). */
export interface Failing {
  readonly since: string;
  readonly last: string;
}

/** True for events that say whether the receiver works. Failures caused by a deleted or disabled endpoint do not. */
export const isAnswer = (event: Recorded<DeliveryEvent>): event is Answered =>
  event.type === 'DeliveredAtOnce' ||
  event.type === 'DeliverySucceeded' ||
  (event.type === 'DeliveryAttemptFailed' &&
    event.data.reason !== 'endpoint-deleted' &&
    event.data.reason !== 'endpoint-disabled');

/** Updates `failing` with an outcome. Returns since when the endpoint has been failing, undefined after a success. */
export function failingAfter(failing: Map<string, Failing>, { type, data }: Answered): string | undefined {
  const before = failing.get(data.endpointId);
  if (type !== 'DeliveryAttemptFailed') {
    // Journal events arrive slightly earlier than log events, so this success may be older than the recorded failure.
    if ((before?.since ?? '') <= data.succeededAt) failing.delete(data.endpointId);
    return undefined;
  }
  const { failedAt } = data;
  // Long after the last failure: nothing was sent meanwhile, so the receiver was not tried.
  const isNew = !before || failedAt >= addSeconds(before.last, IDLE_SECONDS);
  const since = isNew ? failedAt : before.since;
  failing.set(data.endpointId, { since, last: isNew || failedAt > before.last ? failedAt : before.last });
  return since;
}

export function reasonToDisable(
  { data }: Recorded<DeliveryAttemptFailed>,
  failingSince: string,
): Exclude<EndpointDisabledReason, 'requested'> | undefined {
  if (data.reason === 'gone') return 'gone';
  return data.failedAt >= addSeconds(failingSince, FAILING_LIMIT_SECONDS) ? 'no-success' : undefined;
}
