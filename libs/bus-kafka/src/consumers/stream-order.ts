import type { Recorded } from '@ponte/event-sourcing';
import { LoggedIds } from '../partitions/logged-ids';
import type { PublishedLog } from '../partitions/published-log';
import type { Order, Run } from '../partitions/seen-revisions';
import { SeenRevisions } from '../partitions/seen-revisions';
import type { TakenMessage } from '../partitions/taken-message';
import type { Delivery, LogChecks } from './delivery';
import { firstLost } from './lost-predecessor';

/** An event that was received, for the deliveries of its service. */
export interface Arrival {
  readonly taken: TakenMessage;
  readonly run: Run;
  readonly service: string;
  readonly event: Recorded;
  readonly deliveries: readonly Delivery[];
}

/**
 * Finds missing events of streams. Messages that were on the brokers before this member read may be of a time that a
 * restore of the log undid; later ones were published from this log. An undone event does not count as received.
 */
export class StreamOrder {
  /** For all consumers. */
  private readonly seen = new SeenRevisions();
  private readonly loggedIds: LoggedIds | undefined;
  /** The latest message of each stream of which it is not known yet whether the log has the event. */
  private readonly undecided = new Map<string, TakenMessage>();

  constructor(
    private readonly log: PublishedLog | undefined,
    /** Called when events before an arrival are missing; `from` is the first one. */
    private readonly missing: (arrival: Arrival, from: number) => void,
  ) {
    this.loggedIds = log && new LoggedIds(log);
  }

  /** Called after a rebalance. */
  joined(): void {
    for (const [stream, taken] of this.undecided) if (!taken.isOurs()) this.undecided.delete(stream);
  }

  /** As {@link SeenRevisions.runOf}. */
  runOf(taken: TakenMessage): Run {
    return this.seen.runOf(taken);
  }

  /** Call it for each event, in the order of its partition. Each check is made once for all deliveries. */
  checksOf(arrival: Arrival): LogChecks {
    const { taken, event, deliveries } = arrival;
    const { loggedIds } = this;
    const waits = this.undecided.get(event.stream)?.isOurs() === true;
    if (!loggedIds || deliveries.length === 0 || !(taken.isBacklog || waits)) {
      const isFirst = this.recordRevision(arrival) === 'first';
      return { previous: isFirst && this.log ? shareSuccess(() => this.askForPrevious(arrival)) : undefined };
    }
    this.undecided.set(event.stream, taken);
    const isInLog = taken.isBacklog ? shareSuccess(() => loggedIds.has(event)) : undefined;
    let order: Order | undefined;
    // Each delivery waits for this before the next event of the stream, so the events are noted in their order.
    const previous = shareSuccess(async () => {
      if ((await isInLog?.()) === false) taken.forgetPosition();
      else if ((order ??= this.recordRevision(arrival)) === 'first') await this.askForPrevious(arrival);
      if (this.undecided.get(event.stream) === taken) this.undecided.delete(event.stream);
    });
    return { previous, isInLog };
  }

  private recordRevision(arrival: Arrival): Order {
    const { stream, revision } = arrival.event;
    return this.seen.record(arrival.run, stream, revision, (from) => this.missing(arrival, from));
  }

  /**
   * Finds out whether events before the first one of a stream in a run are missing. Nothing is found if nothing is
   * known about what came before.
   */
  private async askForPrevious(arrival: Arrival): Promise<void> {
    if (!this.log) return;
    const from = await firstLost(this.log, arrival.event, await arrival.run.before);
    if (from !== undefined) this.missing(arrival, from);
  }
}

/** The result of the first call that succeeds is shared by all. */
function shareSuccess<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= work().catch((error: unknown) => {
      running = undefined;
      throw error;
    }));
}
