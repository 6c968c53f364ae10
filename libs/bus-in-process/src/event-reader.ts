import type {
  Checkpoints,
  ConsumerOptions,
  EventStore,
  LeftOut,
  LogSubscription,
  MayRelease,
  Position,
  Recorded,
} from '@ponte/event-sourcing';
import { assertWithinLog, categoryOf, PositionBeyondLog, failureText, safeError } from '@ponte/event-sourcing';
import { KeyedQueue, pause } from '@ponte/concurrency';
import type { BackgroundThrottle } from './background-throttle';
import type { EventHandlerParts } from './event-handler';
import { EventHandler, Tries } from './event-handler';
import type { RetrySchedule } from './retry-schedule';
import { KeptCheckpoint, LowWatermark } from './reader-state';

interface ReaderParts extends Pick<EventHandlerParts, 'parked' | 'logger' | 'systemNow'> {
  readonly retries: RetrySchedule;
  readonly throttle: BackgroundThrottle;
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
}

/** Number of streams that one consumer handles in parallel. */
const STREAMS_AT_ONCE = 64;
/** Number of events read from the log but not finished, above which the subscription waits. */
const MAX_UNFINISHED = 1_024;
/** Number of finished events that may be ahead of one being retried. A crash causes their redelivery. */
const MAX_AHEAD = 100_000;
const RESUBSCRIBE_MS = 500;
/** How long a stop waits for running consumers, in milliseconds. */
const STOP_MS = 10_000;

/** Delivers the events of one service to one group, starting at the checkpoint. */
export class EventReader {
  private readonly name: string;
  private readonly queue: KeyedQueue;
  private mark = new LowWatermark(undefined);
  private subscription: LogSubscription | undefined;
  private reading: Promise<void> = Promise.resolve();
  private received: Position | undefined;
  private readonly checkpoint: KeptCheckpoint;
  private readonly handler: EventHandler;
  private started = false;
  private readonly stopping = new AbortController();
  private room: (() => void) | undefined;

  constructor(
    private readonly parts: ReaderParts,
    readonly options: ConsumerOptions,
    readonly categories: readonly string[],
  ) {
    this.name = `${options.group}/${options.service}`;
    this.queue = new KeyedQueue(STREAMS_AT_ONCE, (stream, error) =>
      parts.logger.error(
        { reader: this.name, stream, error: safeError(error) },
        'work on an event failed unexpectedly; it will be repeated',
      ),
    );
    const turn = () => parts.throttle.turn();
    this.handler = new EventHandler({ ...parts, log: parts.store, turn }, options, { reader: this.name });
    this.checkpoint = new KeptCheckpoint(parts, this.name, () => this.mark.finished);
  }

  async start(): Promise<void> {
    if (this.started) return;
    this.started = true;
    this.received = await this.checkpoint.load();
    this.mark = new LowWatermark(this.received);
    await this.handler.loadParked();
    this.reading = this.read();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.room?.();
    await this.subscription?.close();
    await this.reading;
    const patience = pause(STOP_MS, undefined, { ref: false }).then(() => 'late');
    if ((await Promise.race([this.queue.stop(), patience])) === 'late') {
      this.parts.logger.error(
        { reader: this.name },
        'a consumer did not finish in time; its event will be redelivered at the next start',
      );
    }
    await this.checkpoint.save();
  }

  /** As {@link ParkedStreams.replay}, in the queue of the key. */
  release(key: string, mayRelease?: MayRelease, leftOut?: LeftOut, signal?: AbortSignal): Promise<boolean> {
    const stop = signal ? AbortSignal.any([signal, this.stopping.signal]) : this.stopping.signal;
    return this.queue.once(key, () => this.handler.replay(key, mayRelease, leftOut, stop));
  }

  /** The parked keys of this reader's streams whose events were all parked because of an outage. */
  outages(): Promise<readonly string[]> {
    return this.handler.outages((key) => this.categories.includes(categoryOf(key)));
  }

  private async read(): Promise<void> {
    while (!this.isStopping) {
      try {
        await assertWithinLog(this.parts.store, this.received, () => this.pause());
        this.subscription = this.parts.store.subscribe({
          categories: this.categories,
          after: this.received,
          reader: this.name,
        });
        for await (const slice of this.subscription) {
          for (const event of slice.events) if (this.handler.isRelevant(event)) await this.enqueue(event);
          if (this.isStopping) return;
          this.received = slice.position;
          this.finish(this.mark.begin(slice.position));
        }
        if (this.isStopping) return;
      } catch (error) {
        if (this.isStopping) return;
        if (error instanceof PositionBeyondLog) {
          // The reader stops permanently: at a later check the log may have grown past the position, and the events up
          // to there would be skipped.
          await this.reportTrouble(error);
          return;
        }
        this.parts.logger.error(
          { reader: this.name, error: safeError(error) },
          'reading the log failed; this will be retried',
        );
      }
      await this.pause();
    }
  }

  /** Waits before the log is read again, unless the reader is being stopped. */
  private pause(): Promise<void> {
    return pause(RESUBSCRIBE_MS, this.stopping.signal, { ref: false });
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async reportTrouble(error: PositionBeyondLog): Promise<void> {
    const { logger, checkpoints, systemNow } = this.parts;
    logger.error(
      { reader: this.name, error: safeError(error) },
      'the position of a reader is beyond the end of the log; the reader has stopped',
    );
    await checkpoints
      .trouble?.(this.name, failureText(error), new Date(systemNow()).toISOString())
      .catch(() => undefined);
  }

  private async enqueue(event: Recorded): Promise<void> {
    while (this.isFull() && !this.isStopping)
      await new Promise<void>((resolve) => {
        this.room = resolve;
      });
    if (this.isStopping) return;
    const end = this.mark.begin(event.position);
    this.received = event.position;
    const tries = new Tries(this.parts.retries);
    this.queue.add(event.stream, async () => {
      const again = await this.handler.handle(event, tries);
      if (again === undefined) this.finish(end);
      return again;
    });
  }

  private isFull(): boolean {
    return this.mark.unfinished >= MAX_UNFINISHED || this.mark.behind >= MAX_AHEAD;
  }

  private finish(end: () => void): void {
    end();
    if (this.room && !this.isFull()) {
      this.room();
      this.room = undefined;
    }
    if (!this.isStopping) this.checkpoint.moved();
  }
}
