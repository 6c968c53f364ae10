import type {
  DeliveredAtOnce,
  DeliveryAttemptFailed,
  DeliveryEvent,
  DeliverySucceeded,
  EndpointDisabledReason,
} from '@ponte/contracts';
import type { LogSlice, Recorded } from '@ponte/event-sourcing';
import { idOf } from '@ponte/event-sourcing';
import { addSeconds } from '@ponte/kernel';
import type { Deliveries } from '../dispatch/deliveries';
import { hasEnded } from '../domain/delivery/delivery';
import { FAILING_LIMIT_SECONDS } from '../domain/delivery/retry-schedule';
import type { DeliveriesView, DeliveryRow } from './deliveries';
import { deliveryRow } from './deliveries';

export const DELIVERY_SOURCES = ['delivery'] as const;

/** Ends the sending to an endpoint; the event is what the decision rests on. */
export type DisableEndpoint = (
  event: Recorded<DeliveryAttemptFailed>,
  reason: Exclude<EndpointDisabledReason, 'requested'>,
) => Promise<void>;

type Answered = Recorded<DeliveredAtOnce> | Recorded<DeliverySucceeded> | Recorded<DeliveryAttemptFailed>;

/**
 * Keeps the rows of the deliveries and how long each endpoint has been failing. It sees every answer in the order of
 * the log, so it is also where an endpoint is found to be dead.
 */
export class DeliveriesProjection {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly view: DeliveriesView,
    private readonly disable: DisableEndpoint,
  ) {}

  async apply(slice: Pick<LogSlice, 'events'>): Promise<void> {
    const events = slice.events as readonly Recorded<DeliveryEvent>[];
    const last = new Map(events.map((event) => [idOf(event.stream), event.revision]));
    if (last.size === 0) return;
    const rows = (await Promise.all([...last].map(([id, revision]) => this.row(id, revision)))).filter(
      (row) => row !== undefined,
    );
    await this.view.put(rows);
    const ended = rows.filter((row) => row.due_at === null);
    if (ended.length > 0) await this.view.release(ended);
    await this.judge(events.filter(isAnswer));
  }

  /** Folded from its stream, which may be ahead of the slice. */
  private async row(deliveryId: string, seen: number): Promise<DeliveryRow | undefined> {
    const { delivery, revision } = await this.deliveries.load(deliveryId, seen);
    if (delivery.status === 'unscheduled') return undefined;
    const waits = !hasEnded(delivery) && delivery.after !== null && !(await this.deliveries.hasEnded(delivery.after));
    return deliveryRow(delivery, revision, waits);
  }

  /** 410 disables an endpoint, and so does failing for 120 h without one success. */
  private async judge(answers: readonly Answered[]): Promise<void> {
    const endpointIds = [...new Set(answers.map((answer) => answer.data.endpointId))];
    if (endpointIds.length === 0) return;
    const known = await this.view.failingSince(endpointIds);
    const since = new Map(known);
    for (const answer of answers) {
      const begun = failingAfter(since, answer);
      if (begun === undefined || answer.type !== 'DeliveryAttemptFailed') continue;
      const reason = reasonToDisable(answer, begun);
      if (reason) await this.disable(answer, reason);
    }
    for (const endpointId of endpointIds) await this.keep(endpointId, known.get(endpointId), since.get(endpointId));
  }

  private async keep(endpointId: string, before: string | undefined, now: string | undefined): Promise<void> {
    if (before === now) return;
    if (now === undefined) await this.view.markWell(endpointId);
    else await this.view.markFailing(endpointId, now);
  }
}

/** What our own side ended says nothing of the receiver. */
export const isAnswer = (event: Recorded<DeliveryEvent>): event is Answered =>
  event.type === 'DeliveredAtOnce' ||
  event.type === 'DeliverySucceeded' ||
  (event.type === 'DeliveryAttemptFailed' &&
    event.data.reason !== 'endpoint-deleted' &&
    event.data.reason !== 'endpoint-disabled');

/**
 * Notes in `since` what an answer says of its endpoint; answers since when that has been failing, undefined when it is
 * well.
 */
export function failingAfter(since: Map<string, string>, { type, data }: Answered): string | undefined {
  if (type !== 'DeliveryAttemptFailed') {
    since.delete(data.endpointId);
    return undefined;
  }
  const begun = since.get(data.endpointId) ?? data.failedAt;
  since.set(data.endpointId, begun);
  return begun;
}

function reasonToDisable(
  { data }: Recorded<DeliveryAttemptFailed>,
  failingSince: string,
): Exclude<EndpointDisabledReason, 'requested'> | undefined {
  if (data.reason === 'gone') return 'gone';
  return data.failedAt >= addSeconds(failingSince, FAILING_LIMIT_SECONDS) ? 'no-success' : undefined;
}
