import { setTimeout as pause } from 'node:timers/promises';
import type { ConsumerOptions, ParkedEvent, Recorded, ParkedEvents, EngineLogger } from '@ponte/event-sourcing';
import { logged, failureText, safeError } from '@ponte/event-sourcing';
import type { KeyedQueue } from '@ponte/concurrency';
import { keysOfOutages, Tries } from '@ponte/bus-in-process';
import type { RetrySchedule } from '@ponte/bus-in-process';
import type { Taken } from './partitions/group-member';
import type { BusObserver } from './observer';
import { PassedRevisions } from './partitions/passed-revisions';

export interface DeliveryParts {
  readonly parked: ParkedEvents;
  readonly queue: KeyedQueue;
  readonly logger: EngineLogger;
  readonly systemNow: () => number;
  readonly retries: RetrySchedule;
  readonly observer?: BusObserver;
  /** Whether events of the key come to the consumer. */
  readonly isOurs: (options: ConsumerOptions, key: string) => boolean;
  /** Sends the message of an event to the dead letters. */
  readonly deadLetter: (taken: Taken, group: string, reason: string) => Promise<void>;
}

/** Before what failed in storage or on the wire is tried again. */
const AGAIN_MS = 500;
const BEHIND = 'waits behind an earlier event of its stream';
const MISSING = 'events of its stream that come before it are missing';

/**
 * Hands the events of one service to one group of consumers: in order per stream, again when they fail, aside when they
 * never pass.
 */
export class Delivery {
  private readonly types: ReadonlySet<string> | undefined;
  private readonly passed = new PassedRevisions();
  private parkedKeys = new Set<string>();
  /**
   * Streams of which something did not come, and the revision that came instead: from there on it could not be put in
   * order any more.
   */
  private readonly broken = new Map<string, number>();
  private ready: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly parts: DeliveryParts,
    readonly options: ConsumerOptions,
  ) {
    this.types = options.types && new Set(options.types);
  }

  /** What is parked is asked for again: the streams that this member got may have been parked by another one. */
  refresh(): void {
    this.ready = this.ready.then(async () => {
      while (!this.stopped) {
        try {
          this.parkedKeys = new Set(await this.parts.parked.keys(this.options.group));
          return;
        } catch (error) {
          this.parts.logger.error(
            { group: this.options.group, error: safeError(error) },
            'what is parked cannot be read and is asked for again',
          );
          await pause(AGAIN_MS, undefined, { ref: false });
        }
      }
    });
  }

  stop(): void {
    this.stopped = true;
  }

  /** Puts an event in the lane of its stream. `end` is called when the group is done with it. */
  add(event: Recorded, taken: Taken, end: () => void): void {
    if (this.types !== undefined && !this.types.has(event.type)) {
      end();
      return;
    }
    const tries = new Tries(this.parts.retries);
    this.parts.queue.add(this.queueKey(event.stream), async () => {
      await this.ready;
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

  /** Hands the parked events of a key over again, in its lane. Rejects when one of them fails again. */
  release(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.parts.queue.add(this.queueKey(key), async () => {
        await this.replay(key).then(resolve, reject);
        return undefined;
      });
    });
  }

  /**
   * Keys that are parked and whose first event was parked because of an outage; all services that the group consumes
   * together.
   */
  async outages(): Promise<readonly string[]> {
    await this.ready;
    return keysOfOutages(
      this.parts.parked,
      this.options.group,
      [...this.parkedKeys].filter((key) => this.parts.isOurs(this.options, key)),
    );
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
      if (this.parkedKeys.has(event.stream) && (await this.parkedBehind(event))) return undefined;
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
      await this.keep(event, reason);
      this.parts.observer?.deadLetter?.(this.options.group);
      this.broken.delete(event.stream);
      return undefined;
    } catch (error) {
      return this.storageFailed(event, error);
    }
  }

  private async keep(event: Recorded, reason: string): Promise<void> {
    const parkedAt = new Date(this.parts.systemNow()).toISOString();
    await this.parts.parked.add({ group: this.options.group, key: event.stream, event, reason, parkedAt });
    this.parkedKeys.add(event.stream);
  }

  /**
   * Parks an event behind those of its stream. False when there is nothing to wait behind after all: another process of
   * the service has released the stream, and this one had not heard of it.
   */
  private async parkedBehind(event: Recorded): Promise<boolean> {
    const { group } = this.options;
    const before = await this.waiting(event.stream);
    if (before.some((one) => one.event.id === event.id)) return true;
    if (before.length > 0) {
      await this.keep(event, BEHIND);
      // Those before it may have been released at this very moment: then no one would hand it over.
      const after = await this.waiting(event.stream);
      if (after.some((one) => one.event.id !== event.id)) return true;
      await this.parts.parked.remove(group, event.id);
    }
    this.parkedKeys.delete(event.stream);
    return false;
  }

  private storageFailed(event: Recorded, error: unknown): number {
    this.parts.logger.error(
      { ...logged(event.meta), group: this.options.group, event: event.id, error: safeError(error) },
      'parking failed and is tried again',
    );
    return AGAIN_MS;
  }

  private async replay(key: string): Promise<void> {
    const { group, consume } = this.options;
    // Until nothing is left: another process of the service may be parking more behind what is handed over here.
    for (let waiting = await this.waiting(key); waiting.length > 0; waiting = await this.waiting(key)) {
      // Of one stream: whatever was published late comes in its place all the same.
      for (const { event } of [...waiting].sort((a, b) => a.event.revision - b.event.revision)) {
        await consume(event);
        await this.parts.parked.remove(group, event.id);
        this.passed.pass(event.stream, event.revision);
      }
    }
    this.parkedKeys.delete(key);
  }

  private waiting(key: string): Promise<readonly ParkedEvent[]> {
    return this.parts.parked.list(this.options.group, key);
  }
}
