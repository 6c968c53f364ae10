import type { ConsumerOptions, LeftOut, MayRelease, Recorded } from '@ponte/event-sourcing';
import { failureText, PARKED_AFTER_GAP, PARKED_NOT_IN_LOG, safeError } from '@ponte/event-sourcing';
import type { KeyedQueue } from '@ponte/concurrency';
import { ReportLimit, retry, retryDelay } from '@ponte/concurrency';
import { EventHandler, Tries } from '@ponte/bus-in-process';
import type { EventHandlerParts, RetrySchedule } from '@ponte/bus-in-process';
import type { TakenMessage } from '../partitions/taken-message';
import type { BusObserver } from '../observer';
import type { Gap } from './gaps';
import { Gaps } from './gaps';
import { PassedRevisions } from '../partitions/passed-revisions';

export interface DeliveryParts extends Pick<EventHandlerParts, 'parked' | 'logger' | 'systemNow' | 'log'> {
  readonly queue: KeyedQueue;
  readonly retries: RetrySchedule;
  readonly observer?: BusObserver;
  /** Whether the consumer receives events of this key. */
  readonly isOurs: (options: ConsumerOptions, key: string) => boolean;
  /** Sends a copy of an event's message to the dead letters. */
  readonly deadLetter: (taken: TakenMessage, group: string, reason: string) => Promise<void>;
}

/** What is asked of the log about an event. Both may be repeated. */
export interface LogChecks {
  /**
   * Called before anything else is done with the event, whether or not the group wants it. Calls
   * {@link Delivery.missing} if events before this one are missing.
   */
  readonly previous?: () => Promise<void>;
  /** Whether the log has the event; absent if that is certain or cannot be known. */
  readonly isInLog?: () => Promise<boolean>;
}

/** Passes the events of one service to one group in order per stream, with retries, and parks failing streams. */
export class Delivery {
  private readonly passed = new PassedRevisions();
  private readonly handler: EventHandler;
  private readonly stopping = new AbortController();
  /** Resolves when the parked streams are known. */
  private ready: Promise<void> = Promise.resolve();
  private readonly gaps = new Gaps();
  private readonly reports = new ReportLimit();

  constructor(
    private readonly parts: DeliveryParts,
    readonly options: ConsumerOptions,
  ) {
    const handled = ({ stream, revision }: Recorded): void => this.passed.pass(stream, revision);
    this.handler = new EventHandler({ ...parts, handled }, options, { group: options.group });
  }

  /** Reads the parked streams again: another member may have parked streams that this member has now been assigned. */
  refresh(): void {
    const { logger } = this.parts;
    const { group } = this.options;
    const load = (): Promise<void> =>
      retry(() => this.handler.loadParked(), {
        signal: this.stopping.signal,
        onRetry: (error) =>
          logger.error({ group, error: safeError(error) }, 'parked events could not be read; this will be retried'),
        ref: false,
      });
    // The promise rejects only if the process stops.
    this.ready = this.ready.then(load).catch(() => undefined);
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Adds an event to the queue of its stream. `end` is called when the group has finished with the event. */
  add(event: Recorded, taken: TakenMessage, end: () => void, { previous, isInLog }: LogChecks = {}): void {
    this.gaps.taken(event.stream, taken.assignment);
    const isRelevant = this.handler.isRelevant(event);
    // An event that the group does not want may be one of the missing ones.
    if (!isRelevant && !previous && !this.gaps.has(event.stream)) {
      end();
      return;
    }
    const tries = new Tries(this.parts.retries);
    let failures = 0;
    this.parts.queue.add(this.queueKey(event.stream), async () => {
      await this.ready;
      if (!taken.isOurs()) return undefined;
      let [isUndone, isRepeated] = [false, false];
      try {
        await previous?.();
        isUndone = (await isInLog?.()) === false;
        isRepeated = isRelevant && (await this.isRepeated(event, isUndone));
      } catch (error) {
        this.checkFailed(event, error);
        return retryDelay((failures += 1));
      }
      const again = isRelevant ? await this.handle(event, taken, tries, { isUndone, isRepeated }) : undefined;
      if (again !== undefined) return again;
      if (!isUndone) this.gaps.finished(event.stream, event.revision);
      end();
      return undefined;
    });
  }

  /**
   * The next event of the stream after the gap will be parked, so that the missing events can be published and handled
   * before it is released. If they are published again before that, it is not parked.
   */
  missing(stream: string, gap: Gap, { assignment, isOurs }: Pick<TakenMessage, 'assignment' | 'isOurs'>): void {
    if (isOurs()) this.gaps.add(stream, gap, assignment);
  }

  /** As {@link ParkedStreams.replay}, in the queue of the key. */
  release(key: string, mayRelease?: MayRelease, leftOut?: LeftOut, signal?: AbortSignal): Promise<boolean> {
    const stop = signal ? AbortSignal.any([signal, this.stopping.signal]) : this.stopping.signal;
    return this.parts.queue.once(this.queueKey(key), () => this.handler.replay(key, mayRelease, leftOut, stop));
  }

  /** The parked keys whose events were all parked because of an outage, of all services that the group consumes. */
  async outages(): Promise<readonly string[]> {
    await this.ready;
    return this.handler.outages((key) => this.parts.isOurs(this.options, key));
  }

  private checkFailed({ stream, revision }: Recorded, error: unknown): void {
    this.reports.note(failureText(error), (repeats) =>
      this.parts.logger.warn(
        { group: this.options.group, stream, revision, error: safeError(error), ...repeats },
        'the log or the parked events of a stream could not be read; this will be retried',
      ),
    );
  }

  private queueKey(stream: string): string {
    return `${this.options.group} ${stream}`;
  }

  /**
   * Whether the event is dropped because the group has handled it. A missing one is not: if a topic was deleted, it may
   * have been handled without being committed. It then waits with the event that marks the gap, and is handled again.
   */
  private async isRepeated(event: Recorded, isUndone: boolean): Promise<boolean> {
    return this.passed.has(event.stream, event.revision) && (isUndone || !(await this.handler.isMissing(event)));
  }

  /** `isUndone` if the log does not have the event. */
  private async handle(
    event: Recorded,
    taken: TakenMessage,
    tries: Tries,
    { isUndone, isRepeated }: { readonly isUndone: boolean; readonly isRepeated: boolean },
  ): Promise<number | undefined> {
    const { group } = this.options;
    const { observer, deadLetter } = this.parts;
    if (isRepeated) {
      observer?.duplicate?.(group);
      return undefined;
    }
    const missingFrom = isUndone ? undefined : this.gaps.missingFrom(event.stream, event.revision);
    return this.handler.handle(event, tries, {
      refusal: isUndone ? PARKED_NOT_IN_LOG : missingFrom === undefined ? undefined : PARKED_AFTER_GAP,
      missingFrom,
      // A discarded event marks nothing: the gap then stays until a later event marks it.
      marked: () => (isUndone ? undefined : this.gaps.marked(event.stream, event.revision)),
      parking: async (reason, park) => {
        // The dead letter is sent first: an event that is found parked when it is redelivered counts as finished.
        await deadLetter(taken, group, reason);
        await park();
        observer?.deadLetter?.(group);
      },
    });
  }
}
