import type { ConsumerOptions, Recorded } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import type { KeyedQueue } from '@ponte/concurrency';
import { retry } from '@ponte/concurrency';
import { EventHandler, Tries } from '@ponte/bus-in-process';
import type { EventHandlerParts, RetrySchedule } from '@ponte/bus-in-process';
import type { Taken } from '../partitions/group-member';
import type { BusObserver } from '../observer';
import { PassedRevisions } from '../partitions/passed-revisions';

export interface DeliveryParts extends Pick<EventHandlerParts, 'parked' | 'logger' | 'systemNow'> {
  readonly queue: KeyedQueue;
  readonly retries: RetrySchedule;
  readonly observer?: BusObserver;
  /** Whether events of the key come to the consumer. */
  readonly isOurs: (options: ConsumerOptions, key: string) => boolean;
  /** Sends the message of an event to the dead letters. */
  readonly deadLetter: (taken: Taken, group: string, reason: string) => Promise<void>;
}

const MISSING = 'earlier events of its stream are missing';

/**
 * Hands the events of one service to one group of consumers: in order per stream, again when they fail, aside when they
 * never pass.
 */
export class Delivery {
  private readonly passed = new PassedRevisions();
  private readonly handler: EventHandler;
  private readonly stopping = new AbortController();
  /** Resolves when it is known what is parked. */
  private ready: Promise<void> = Promise.resolve();
  /**
   * Streams of which something did not come, and the revision that came instead: from there on it could not be put in
   * order any more.
   */
  private readonly broken = new Map<string, number>();

  constructor(
    private readonly parts: DeliveryParts,
    readonly options: ConsumerOptions,
  ) {
    const handled = ({ stream, revision }: Recorded): void => this.passed.pass(stream, revision);
    this.handler = new EventHandler({ ...parts, handled }, options, { group: options.group });
  }

  /** What is parked is asked for again: the streams that this member got may have been parked by another one. */
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
    // It fails only when the process stops.
    this.ready = this.ready.then(load).catch(() => undefined);
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Puts an event in the queue of its stream. `end` is called when the group is done with it. */
  add(event: Recorded, taken: Taken, end: () => void): void {
    if (!this.handler.isWanted(event)) {
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

  /** Hands the parked events of a key over again, in its turn. Rejects when one of them fails again. */
  release(key: string): Promise<void> {
    return this.parts.queue.once(this.queueKey(key), () => this.handler.replay(key));
  }

  /**
   * Keys that are parked and whose first event was parked because of an outage; all services that the group consumes
   * together.
   */
  async outages(): Promise<readonly string[]> {
    await this.ready;
    return this.handler.outages((key) => this.parts.isOurs(this.options, key));
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
    return this.handler.handle(event, tries, {
      refusal: event.revision >= (this.broken.get(event.stream) ?? Infinity) ? MISSING : undefined,
      parking: async (reason, park) => {
        // The letter first: an event that is found parked when it comes again is done with.
        await deadLetter(taken, group, reason);
        await park();
        observer?.deadLetter?.(group);
        this.broken.delete(event.stream);
      },
    });
  }
}
