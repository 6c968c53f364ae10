import type { DeliveryAttemptFailed, DeliveryEvent, EndpointDisabledReason } from '@ponte/contracts';
import type { LogSlice, Recorded } from '@ponte/event-sourcing';
import { idOf } from '@ponte/event-sourcing';
import { addSeconds, lruCache } from '@ponte/kernel';
import type { Deliveries } from '../dispatch/deliveries.service';
import { hasEnded } from './delivery.state';
import type { FailingSummary } from '../endpoints/endpoints.state';
import type { Answered, Failing } from '../failing-endpoints/failing-endpoints.domain';
import { failingAfter, isAnswer, reasonToDisable } from '../failing-endpoints/failing-endpoints.domain';
import type { FailingEndpoints } from '../failing-endpoints/failing-endpoints.read-model';
import type { DeliveryReadModel, DeliveryRow } from './deliveries.read-model';
import { deliveryRow } from './deliveries.read-model';

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
/** For how long the summary of an endpoint is not tried again after a failure, in milliseconds. */
const POSTPONED_MS = 600_000;

/** A failed attempt, and since when its endpoint has been failing. */
interface Failure {
  readonly answer: Recorded<DeliveryAttemptFailed>;
  readonly since: string;
}

/** Reports that something could not be done after a failed attempt. */
export type ReportFailure = (event: Recorded<DeliveryAttemptFailed>, error: unknown, what: string) => void;

/**
 * Keeps the rows of the deliveries up to date, and records since when each endpoint has been failing. It receives the
 * outcome of every attempt, from the log and from the journal, so it also decides when a failing endpoint is disabled.
 */
export class DeliveriesProjection {
  /** The day of the last summary, by endpoint. */
  private readonly noted = lruCache<string, string>(REMEMBERED);
  /** Endpoints whose summary could not be recorded a short time ago. */
  private readonly postponed = lruCache<string, true>(REMEMBERED, { ttl: POSTPONED_MS });
  /** Outcomes are evaluated one batch at a time, because log and journal both contain events of the same endpoints. */
  private checking: Promise<void> = Promise.resolve();

  constructor(
    private readonly deliveries: DeliveryReader,
    private readonly readModel: DeliveryReadModel,
    private readonly failing: FailingEndpoints,
    private readonly disable: DisableEndpoint,
    private readonly noteFailing: NoteFailing,
    private readonly failed: ReportFailure,
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

  /**
   * An endpoint is disabled by a 410 response, or after failing for 120 h without one success. Endpoints do not affect
   * each other, and a summary affects no decision. Throws the first failure of a decision, after all others were made.
   */
  private async checkEndpoints(answers: readonly Answered[]): Promise<void> {
    const endpointIds = [...new Set(answers.map((answer) => answer.data.endpointId))];
    if (endpointIds.length === 0) return;
    const known = await this.failing.of(endpointIds);
    const failing = new Map(known);
    const failures: Failure[] = [];
    for (const answer of answers) {
      const since = failingAfter(failing, answer);
      if (since !== undefined && answer.type === 'DeliveryAttemptFailed') failures.push({ answer, since });
    }
    const decided = await Promise.allSettled(
      endpointIds.map(async (endpointId) => {
        const own = failures.filter(({ answer }) => answer.data.endpointId === endpointId);
        const kept = this.keep(endpointId, known.get(endpointId), failing.get(endpointId));
        await Promise.all([kept, this.disableAfter(own)]);
      }),
    );
    for (const failure of failures) await this.recordDailySummary(failure);
    const failed = decided.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
  }

  private async disableAfter(failures: readonly Failure[]): Promise<void> {
    for (const { answer, since } of failures) {
      const reason = reasonToDisable(answer, since);
      if (!reason) continue;
      try {
        await this.disable(answer, reason);
      } catch (error) {
        this.failed(answer, error, 'an endpoint could not be disabled; its next failed attempt tries it again');
        throw error;
      }
    }
  }

  /** Records a summary for the first failure of a day. A failure to do so only postpones it. */
  private async recordDailySummary({ answer, since }: Failure): Promise<void> {
    const { endpointId, failedAt, httpStatus, reason } = answer.data;
    const date = failedAt.slice(0, DAY);
    const last = this.noted.get(endpointId);
    if ((last !== undefined && last >= date) || this.postponed.has(endpointId)) return;
    try {
      const open = await this.readModel.openOf(endpointId, since);
      const summary = { date, failingSince: since, ...open, lastStatus: httpStatus, lastReason: reason };
      await this.noteFailing(answer, summary);
      this.noted.set(endpointId, date);
    } catch (error) {
      this.postponed.set(endpointId, true);
      this.failed(answer, error, 'the summary of a failing endpoint could not be recorded; it will be tried again');
    }
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
