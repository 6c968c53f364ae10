import type {
  DeliveredAtOnce,
  DeliveryAttemptFailed,
  DeliveryEvent,
  DeliverySucceeded,
  EndpointDisabledReason,
} from '@ponte/contracts';
import type { LogSlice, Recorded } from '@ponte/event-sourcing';
import { idOf } from '@ponte/event-sourcing';
import { addSeconds, lruCache } from '@ponte/kernel';
import type { Deliveries } from '../dispatch/deliveries';
import { hasEnded } from './delivery.state';
import type { FailingSummary } from '../endpoints/endpoints.state';
import type { DeliveryReadModel, DeliveryRow } from './deliveries.read-model';
import { deliveryRow } from './deliveries.read-model';
import type { Failing, FailingEndpoints } from './failing-endpoints.read-model';
import { FAILING_LIMIT_SECONDS, IDLE_SECONDS } from './retry-schedule.domain';

export const DELIVERY_SOURCES = ['delivery'] as const;

/** Disables an endpoint because of this event. */
export type DisableEndpoint = (
  event: Recorded<DeliveryAttemptFailed>,
  reason: Exclude<EndpointDisabledReason, 'requested'>,
) => Promise<void>;

/** Records the daily summary of a failing endpoint. */
export type NoteFailing = (event: Recorded<DeliveryAttemptFailed>, summary: FailingSummary) => Promise<void>;

/** Loads a delivery, at least up to a given revision, and checks whether a delivery has ended. */
type DeliveryReader = Pick<Deliveries, 'load' | 'hasEnded'>;

/** The number of endpoints whose last summary is kept in memory. */
const REMEMBERED = 20_000;
const HOUR_SECONDS = 3_600;
/** Length of the date part of an ISO 8601 time. */
const DAY = 10;

type Answered = Recorded<DeliveredAtOnce> | Recorded<DeliverySucceeded> | Recorded<DeliveryAttemptFailed>;

/**
 * Keeps the rows of the deliveries up to date, and records since when each endpoint has been failing. It receives the
 * outcome of every attempt, from the log and from the journal, so it also decides when a failing endpoint is disabled.
 */
export class DeliveriesProjection {
  /** The day of the last summary, by endpoint. */
  private readonly noted = lruCache<string, string>(REMEMBERED);
  /** Outcomes are evaluated one batch at a time, because log and journal both contain events of the same endpoints. */
  private checking: Promise<void> = Promise.resolve();

  constructor(
    private readonly deliveries: DeliveryReader,
    private readonly readModel: DeliveryReadModel,
    private readonly failing: FailingEndpoints,
    private readonly disable: DisableEndpoint,
    private readonly noteFailing: NoteFailing,
  ) {}

  async apply(slice: Pick<LogSlice, 'events'>): Promise<void> {
    const events = slice.events as readonly Recorded<DeliveryEvent>[];
    await this.show(events, this.deliveries);
    await this.checkInTurn(events);
  }

  /**
   * Like {@link apply}, for the writer of the journal, which must not wait for commands on endpoints. If such a command
   * fails, the next outcome of the endpoint triggers it again. `deliveries` must read the journal directly.
   */
  async applyJournaled(events: readonly Recorded[], deliveries: DeliveryReader): Promise<void> {
    await this.show(events, deliveries);
    this.checkInTurn(events as readonly Recorded<DeliveryEvent>[]).catch(() => undefined);
  }

  /** As {@link showDeliveries}. */
  show(events: readonly Pick<Recorded, 'stream' | 'revision'>[], deliveries: DeliveryReader): Promise<void> {
    return showDeliveries(this.readModel, events, deliveries);
  }

  private checkInTurn(events: readonly Recorded<DeliveryEvent>[]): Promise<void> {
    const checked = this.checking.then(() => this.checkEndpoints(events.filter(isAnswer)));
    this.checking = checked.catch(() => undefined);
    return checked;
  }

  /** An endpoint is disabled by a 410 response, or after failing for 120 h without one success. */
  private async checkEndpoints(answers: readonly Answered[]): Promise<void> {
    const endpointIds = [...new Set(answers.map((answer) => answer.data.endpointId))];
    if (endpointIds.length === 0) return;
    const known = await this.failing.of(endpointIds);
    const failing = new Map(known);
    for (const answer of answers) {
      const begun = failingAfter(failing, answer);
      if (begun === undefined || answer.type !== 'DeliveryAttemptFailed') continue;
      const reason = reasonToDisable(answer, begun);
      await this.recordDailySummary(answer, begun);
      if (reason) await this.disable(answer, reason);
    }
    for (const endpointId of endpointIds) await this.keep(endpointId, known.get(endpointId), failing.get(endpointId));
  }

  /** Records a summary for the first failure of a day. */
  private async recordDailySummary(answer: Recorded<DeliveryAttemptFailed>, failingSince: string): Promise<void> {
    const { endpointId, failedAt, httpStatus, reason } = answer.data;
    const date = failedAt.slice(0, DAY);
    const last = this.noted.get(endpointId);
    if (last !== undefined && last >= date) return;
    const open = await this.readModel.openOf(endpointId);
    await this.noteFailing(answer, { date, failingSince, ...open, lastStatus: httpStatus, lastReason: reason });
    this.noted.set(endpointId, date);
  }

  private async keep(endpointId: string, before: Failing | undefined, now: Failing | undefined): Promise<void> {
    if (before === now) return;
    if (now === undefined) await this.failing.remove(endpointId);
    // The time of the last failure need not be exact, so a failing endpoint is seldom written.
    else if (before?.since !== now.since || now.last >= addSeconds(before.last, HOUR_SECONDS))
      await this.failing.put(endpointId, now);
  }
}

/** Writes the rows of the deliveries that these events belong to. */
export async function showDeliveries(
  readModel: Pick<DeliveryReadModel, 'put' | 'release'>,
  events: readonly Pick<Recorded, 'stream' | 'revision'>[],
  deliveries: DeliveryReader,
): Promise<void> {
  const last = new Map(events.map((event) => [idOf(event.stream), event.revision]));
  if (last.size === 0) return;
  const rows = (await Promise.all([...last].map(([id, revision]) => rowOf(deliveries, id, revision)))).filter(
    (row) => row !== undefined,
  );
  await readModel.put(rows);
  const ended = rows.filter((row) => row.due_at === null);
  if (ended.length > 0) await readModel.release(ended);
}

/**
 * The row of a delivery as folded from its stream, which may be ahead of the event at revision `seen`. Undefined when
 * it is not scheduled.
 */
async function rowOf(deliveries: DeliveryReader, deliveryId: string, seen: number): Promise<DeliveryRow | undefined> {
  const { delivery, revision } = await deliveries.load(deliveryId, seen);
  if (delivery.status === 'unscheduled') return undefined;
  const waits = !hasEnded(delivery) && delivery.after !== null && !(await deliveries.hasEnded(delivery.after));
  return deliveryRow(delivery, revision, waits);
}

/** True for events that say whether the receiver works. Failures caused by a deleted or disabled endpoint do not. */
const isAnswer = (event: Recorded<DeliveryEvent>): event is Answered =>
  event.type === 'DeliveredAtOnce' ||
  event.type === 'DeliverySucceeded' ||
  (event.type === 'DeliveryAttemptFailed' &&
    event.data.reason !== 'endpoint-deleted' &&
    event.data.reason !== 'endpoint-disabled');

/** Updates `failing` with an outcome. Returns since when the endpoint has been failing, undefined after a success. */
function failingAfter(failing: Map<string, Failing>, { type, data }: Answered): string | undefined {
  const before = failing.get(data.endpointId);
  if (type !== 'DeliveryAttemptFailed') {
    // Journal events arrive slightly earlier than log events, so this success may be older than the recorded failure.
    if ((before?.since ?? '') <= data.succeededAt) failing.delete(data.endpointId);
    return undefined;
  }
  const { failedAt, attempt } = data;
  // A first attempt long after the last failure: there was nothing to send meanwhile, so the receiver was not tried.
  const isNew = !before || (attempt === 1 && failedAt >= addSeconds(before.last, IDLE_SECONDS));
  const since = isNew ? failedAt : before.since;
  failing.set(data.endpointId, { since, last: isNew || failedAt > before.last ? failedAt : before.last });
  return since;
}

function reasonToDisable(
  { data }: Recorded<DeliveryAttemptFailed>,
  failingSince: string,
): Exclude<EndpointDisabledReason, 'requested'> | undefined {
  if (data.reason === 'gone') return 'gone';
  return data.failedAt >= addSeconds(failingSince, FAILING_LIMIT_SECONDS) ? 'no-success' : undefined;
}
