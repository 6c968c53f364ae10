import type { ConsumerOptions, Recorded } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import type { KeyedQueue } from '@ponte/concurrency';
import { retry, retryDelay } from '@ponte/concurrency';
import { EventHandler, isOutageReason, Tries } from '@ponte/bus-in-process';
import type { EventHandlerParts, RetrySchedule } from '@ponte/bus-in-process';
import type { Taken } from '../partitions/taken';
import type { BusObserver } from '../observer';
import type { PublishedLog } from '../partitions/published-log';
import { gapReason, isGap, refill } from './gaps';
import { PassedRevisions } from '../partitions/passed-revisions';

export interface DeliveryParts extends Pick<EventHandlerParts, 'parked' | 'logger' | 'systemNow'> {
  readonly queue: KeyedQueue;
  readonly retries: RetrySchedule;
  readonly observer?: BusObserver;
  /** The log from which missing events are read. Without it, they must be published again. */
  readonly log?: PublishedLog;
  /** Whether the consumer receives events of this key. */
  readonly isOurs: (options: ConsumerOptions, key: string) => boolean;
  /** Sends a copy of an event's message to the dead letters. */
  readonly deadLetter: (taken: Taken, group: string, reason: string) => Promise<void>;
}

/** Passes the events of one service to one group in order per stream, with retries, and parks failing streams. */
export class Delivery {
  private readonly passed = new PassedRevisions();
  private readonly handler: EventHandler;
  private readonly stopping = new AbortController();
  /** Resolves when the parked streams are known. */
  private ready: Promise<void> = Promise.resolve();
  /**
   * Streams with missing events: the first missing revision, and the first one after the gap. From that on, the order
   * cannot be kept.
   */
  private readonly broken = new Map<string, { readonly from: number; readonly before: number }>();

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

  /**
   * Adds an event to the queue of its stream. `end` is called when the group has finished with the event. `check` is
   * called before, also for an event that the group does not want, and calls {@link missing} if events are missing.
   */
  add(event: Recorded, taken: Taken, end: () => void, check?: () => Promise<void>): void {
    const isWanted = this.handler.isWanted(event);
    if (!isWanted && !check) {
      end();
      return;
    }
    const tries = new Tries(this.parts.retries);
    let failures = 0;
    this.parts.queue.add(this.queueKey(event.stream), async () => {
      await this.ready;
      if (!taken.isOurs()) return undefined;
      try {
        await check?.();
      } catch (error) {
        this.checkFailed(event, error);
        return retryDelay((failures += 1));
      }
      const again = isWanted ? await this.handle(event, taken, tries) : undefined;
      if (again === undefined) end();
      return again;
    });
  }

  /**
   * Notes that the events from `from` on are missing before the revision `before`. The next event from that revision on
   * is parked, and so kept durably, until the missing events were read from the log and handled.
   */
  missing(stream: string, from: number, before: number): void {
    if (!this.broken.has(stream)) this.broken.set(stream, { from, before });
  }

  /**
   * Handles the parked events of a key again, in the key's order, with those that were missing. Rejects if one of them
   * fails again. An operator may release a stream whose missing events the log does not have.
   */
  release(key: string): Promise<void> {
    return this.parts.queue.once(this.queueKey(key), async () => {
      await this.refill(key);
      await this.handler.replay(key);
    });
  }

  /**
   * The parked keys whose first event was parked because of an outage, of all services that the group consumes. Also
   * resumes the keys with missing events, which the log may have by now.
   */
  async outages(): Promise<readonly string[]> {
    await this.ready;
    const found: string[] = [];
    const isAsked = (key: string): boolean => this.parts.isOurs(this.options, key);
    for (const [key, reason] of await this.handler.firstReasons(isAsked))
      if (isOutageReason(reason)) found.push(key);
      else if (this.parts.log && isGap(reason)) this.resume(key);
    return found;
  }

  private async isRefilled(key: string): Promise<boolean> {
    const { group } = this.options;
    const { logger } = this.parts;
    try {
      const isFilled = await this.refill(key);
      if (!isFilled)
        logger.error({ group, stream: key }, 'the log does not have the missing events of a stream; it stays parked');
      return isFilled;
    } catch (error) {
      logger.error({ group, stream: key, error: safeError(error) }, 'missing events could not be read from the log');
      return false;
    }
  }

  private refill(key: string): Promise<boolean> {
    const { parked, log, systemNow } = this.parts;
    const isDue = (event: Recorded): boolean =>
      this.handler.isWanted(event) && !this.passed.has(event.stream, event.revision);
    return refill({ group: this.options.group, parked, log, systemNow, isDue }, key);
  }

  /** Handles a stream again that was parked behind missing events, if the log has them. Otherwise it is tried later. */
  private resume(key: string): void {
    const { queue, logger } = this.parts;
    const resumed = queue.once(this.queueKey(key), async () => {
      if (await this.isRefilled(key)) await this.handler.replay(key);
    });
    resumed.catch((error: unknown) =>
      logger.error(
        { group: this.options.group, stream: key, error: safeError(error) },
        'the events of a stream with missing ones cannot be handled yet; this will be retried',
      ),
    );
  }

  private checkFailed({ stream, revision }: Recorded, error: unknown): void {
    this.parts.logger.warn(
      { group: this.options.group, stream, revision, error: safeError(error) },
      'the log could not be asked for the previous event of a stream; this will be retried',
    );
  }

  private queueKey(stream: string): string {
    return `${this.options.group} ${stream}`;
  }

  private async handle(event: Recorded, taken: Taken, tries: Tries): Promise<number | undefined> {
    const { group } = this.options;
    const { observer, deadLetter } = this.parts;
    if (this.passed.has(event.stream, event.revision)) {
      observer?.duplicate?.(group);
      return undefined;
    }
    const gap = this.broken.get(event.stream);
    const isBehind = gap !== undefined && event.revision >= gap.before;
    return this.handler.handle(event, tries, {
      refusal: isBehind ? gapReason(this.parts.log && gap.from) : undefined,
      parking: async (reason, park) => {
        // The dead letter is sent first: an event that is found parked when it is redelivered counts as finished.
        await deadLetter(taken, group, reason);
        await park();
        observer?.deadLetter?.(group);
        this.broken.delete(event.stream);
        if (isBehind && this.parts.log) this.resume(event.stream);
      },
    });
  }
}
