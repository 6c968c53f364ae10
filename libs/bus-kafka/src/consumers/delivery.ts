import type { ConsumerOptions, Recorded } from '@ponte/event-sourcing';
import { logged, failureText, safeError } from '@ponte/event-sourcing';
import type { KeyedQueue } from '@ponte/concurrency';
import { Tries } from '@ponte/bus-in-process';
import type { RetrySchedule } from '@ponte/bus-in-process';
import type { Taken } from '../partitions/group-member';
import type { BusObserver } from '../observer';
import type { ParkedStreamsParts } from './parked-streams';
import { AGAIN_MS, ParkedStreams } from './parked-streams';
import { PassedRevisions } from '../partitions/passed-revisions';

export interface DeliveryParts extends ParkedStreamsParts {
  readonly queue: KeyedQueue;
  readonly retries: RetrySchedule;
  readonly observer?: BusObserver;
  /** Whether events of the key come to the consumer. */
  readonly isOurs: (options: ConsumerOptions, key: string) => boolean;
  /** Sends the message of an event to the dead letters. */
  readonly deadLetter: (taken: Taken, group: string, reason: string) => Promise<void>;
}

const MISSING = 'events of its stream that come before it are missing';

/**
 * Hands the events of one service to one group of consumers: in order per stream, again when they fail, aside when they
 * never pass.
 */
export class Delivery {
  private readonly types: ReadonlySet<string> | undefined;
  private readonly passed = new PassedRevisions();
  private readonly parked: ParkedStreams;
  /**
   * Streams of which something did not come, and the revision that came instead: from there on it could not be put in
   * order any more.
   */
  private readonly broken = new Map<string, number>();

  constructor(
    private readonly parts: DeliveryParts,
    readonly options: ConsumerOptions,
  ) {
    this.types = options.types && new Set(options.types);
    this.parked = new ParkedStreams(parts, options);
  }

  /** What is parked is asked for again: the streams that this member got may have been parked by another one. */
  refresh(): void {
    this.parked.refresh();
  }

  stop(): void {
    this.parked.stop();
  }

  /** Puts an event in the queue of its stream. `end` is called when the group is done with it. */
  add(event: Recorded, taken: Taken, end: () => void): void {
    if (this.types !== undefined && !this.types.has(event.type)) {
      end();
      return;
    }
    const tries = new Tries(this.parts.retries);
    this.parts.queue.add(this.queueKey(event.stream), async () => {
      await this.parked.known();
      if (!taken.isOurs()) return undefined;
      const again = await this.handle(event, taken, tries);
      if (again === undefined) end();
      return again;
    });
  }

  /**
   * From a revision on, the next event that the group looks at is parked: the missing ones can still be published, and
   * then released before it.
   */
  missing(stream: string, before: number): void {
    if (!this.broken.has(stream)) this.broken.set(stream, before);
  }

  /** Hands the parked events of a key over again, in its turn. Rejects when one of them fails again. */
  release(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.parts.queue.add(this.queueKey(key), async () => {
        await this.parked.replay(key, (event) => this.passed.pass(event.stream, event.revision)).then(resolve, reject);
        return undefined;
      });
    });
  }

  /**
   * Keys that are parked and whose first event was parked because of an outage; all services that the group consumes
   * together.
   */
  outages(): Promise<readonly string[]> {
    return this.parked.outages((key) => this.parts.isOurs(this.options, key));
  }

  private queueKey(stream: string): string {
    return `${this.options.group} ${stream}`;
  }

  /** Undefined when the event is done with: handled, or parked durably. */
  private async handle(event: Recorded, taken: Taken, tries: Tries): Promise<number | undefined> {
    const { group, consume } = this.options;
    const { logger, observer } = this.parts;
    if (this.passed.has(event.stream, event.revision)) {
      observer?.duplicate?.(group);
      return undefined;
    }
    try {
      if (await this.parked.parkedBehind(event)) return undefined;
    } catch (error) {
      return this.storageFailed(event, error);
    }
    if (event.revision >= (this.broken.get(event.stream) ?? Infinity)) return this.park(event, taken, MISSING);
    try {
      await consume(event);
      this.passed.pass(event.stream, event.revision);
      return undefined;
    } catch (error) {
      const wait = tries.after(error);
      const fields = {
        ...logged(event.meta),
        group,
        stream: event.stream,
        event: event.id,
        type: event.type,
        tries: tries.count,
        error: safeError(error),
      };
      if (wait !== undefined) {
        if (tries.isLogged) logger.warn(fields, 'an event failed and is tried again');
        return wait;
      }
      logger.error(fields, 'an event failed for good; it and its stream are parked');
      return this.park(event, taken, failureText(error));
    }
  }

  private async park(event: Recorded, taken: Taken, reason: string): Promise<number | undefined> {
    try {
      // The letter first: an event that is found parked when it comes again is done with.
      await this.parts.deadLetter(taken, this.options.group, reason);
      await this.parked.park(event, reason);
      this.parts.observer?.deadLetter?.(this.options.group);
      this.broken.delete(event.stream);
      return undefined;
    } catch (error) {
      return this.storageFailed(event, error);
    }
  }

  private storageFailed(event: Recorded, error: unknown): number {
    this.parts.logger.error(
      { ...logged(event.meta), group: this.options.group, event: event.id, error: safeError(error) },
      'parking failed and is tried again',
    );
    return AGAIN_MS;
  }
}
