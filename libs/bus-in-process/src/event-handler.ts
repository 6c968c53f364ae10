import type { ConsumerOptions, EngineLogger, LeftOut, MayRelease, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { failureText, logged, safeError, UnknownEvent } from '@ponte/event-sourcing';
import { ReportLimit, retryDelay, withJitter } from '@ponte/concurrency';
import { Unavailable } from '@ponte/kernel';
import { ParkedStreams } from './parked/parked-streams';
import type { ReleaseCheckParts } from './parked/release-check';
import { isOutage } from './outages';
import type { RetrySchedule } from './retry-schedule';
import { UNEXPECTED } from './retry-schedule';

export interface EventHandlerParts extends Pick<ReleaseCheckParts, 'log'> {
  readonly parked: ParkedEvents;
  readonly logger: EngineLogger;
  readonly systemNow: () => number;
  /** Waited for before each attempt to handle an event. */
  readonly turn?: () => Promise<void> | undefined;
  /** Called when the consumer has handled an event, including one that was parked before. */
  readonly handled?: (event: Recorded) => void;
}

/** What a bus adds to the handling of one event. */
interface EventCircumstances {
  /** If set, the event is parked for this reason without being handled, also behind parked events of its stream. */
  readonly refusal?: string;
  /** The first missing revision before the event. If set, the event marks the gap once it is parked. */
  readonly missingFrom?: number;
  /** Called when the event marks the gap, durably. */
  readonly marked?: () => void;
  /** Called instead of `park`, which it must call. Repeated if it fails. */
  readonly parking?: (reason: string, park: () => Promise<void>) => Promise<void>;
}

/**
 * Passes events to one consumer, retries those that fail, and parks an event and the rest of its stream if it keeps
 * failing. The caller keeps the events of a stream in order.
 */
export class EventHandler {
  private readonly types: ReadonlySet<string> | undefined;
  private readonly streams: ParkedStreams;
  private readonly parkingReports = new ReportLimit();

  constructor(
    private readonly parts: EventHandlerParts,
    private readonly options: ConsumerOptions,
    /** Log fields that identify the consumer. */
    private readonly names: Readonly<Record<string, string>>,
  ) {
    this.types = options.types && new Set(options.types);
    this.streams = new ParkedStreams(parts.parked, options.group, parts.systemNow, {
      log: parts.log,
      isRelevant: (event) => this.isRelevant(event),
    });
  }

  isRelevant(event: Recorded): boolean {
    return this.types === undefined || this.types.has(event.type);
  }

  /** Reads which streams are parked, because other processes may have parked or released some. */
  loadParked(): Promise<void> {
    return this.streams.load();
  }

  /**
   * Returns undefined when the event is handled or durably parked; otherwise the milliseconds until the next attempt.
   */
  async handle(event: Recorded, tries: Tries, circumstances: EventCircumstances = {}): Promise<number | undefined> {
    const { turn, logger } = this.parts;
    try {
      const { refusal, missingFrom, marked } = circumstances;
      const parkedBehind = await this.streams.parkedBehind(event, refusal, missingFrom);
      if (parkedBehind === 'parked') marked?.();
      if (parkedBehind !== 'none') return undefined;
    } catch (error) {
      return this.parkingFailed(event, tries, error);
    }
    if (circumstances.refusal !== undefined) return this.park(event, tries, circumstances.refusal, circumstances);
    try {
      await turn?.();
      await this.consume(event);
      return undefined;
    } catch (error) {
      const wait = tries.after(error);
      const { stream, id, type } = event;
      const fields = { ...this.fields(event), stream, event: id, type, tries: tries.count, error: safeError(error) };
      if (wait !== undefined) {
        if (tries.isLogged) logger.warn(fields, 'an event handler failed; the event will be retried');
        return withJitter(wait);
      }
      logger.error(fields, 'an event handler failed permanently; the event and its stream are parked');
      return this.park(event, tries, failureText(error), circumstances);
    }
  }

  /** As {@link ParkedStreams.isMissing}. */
  isMissing(event: Recorded): Promise<boolean> {
    return this.streams.isMissing(event);
  }

  /** As {@link ParkedStreams.replay}. */
  replay(key: string, mayRelease?: MayRelease, leftOut?: LeftOut, signal?: AbortSignal): Promise<boolean> {
    return this.streams.replay(key, { handOver: (event) => this.consume(event), mayRelease, leftOut, signal });
  }

  /** The parked keys accepted by `isSelected` whose events were all parked because of an outage. */
  outages(isSelected: (key: string) => boolean): Promise<readonly string[]> {
    return this.streams.outages(isSelected);
  }

  private async consume(event: Recorded): Promise<void> {
    await this.options.consume(event);
    this.parts.handled?.(event);
  }

  private async park(
    event: Recorded,
    tries: Tries,
    reason: string,
    { parking = (_, park) => park(), missingFrom, marked }: EventCircumstances,
  ): Promise<number | undefined> {
    try {
      await parking(reason, () => this.streams.park(event, reason, missingFrom));
      marked?.();
      return undefined;
    } catch (error) {
      return this.parkingFailed(event, tries, error);
    }
  }

  private parkingFailed(event: Recorded, tries: Tries, error: unknown): number {
    this.parkingReports.note(failureText(error), (repeats) => {
      const fields = { ...this.fields(event), event: event.id, error: safeError(error), ...repeats };
      this.parts.logger.error(fields, 'an event could not be parked; this will be retried');
    });
    return tries.afterParkingFailed();
  }

  private fields({ meta }: Recorded): object {
    return { ...logged(meta), ...this.names };
  }
}

/** This many attempts are logged individually; of the later ones, one in {@link LOGGED_EVERY}. */
const LOGGED_TRIES = 5;
const LOGGED_EVERY = 12;

/**
 * The attempts at one event. Each kind of failure has its own count, so that an outage does not use up the attempts for
 * other failures.
 */
export class Tries {
  private readonly counts = { failed: 0, unexpected: 0, unavailable: 0 };
  private parkingFailures = 0;

  constructor(private readonly schedule: RetrySchedule) {}

  get count(): number {
    return this.counts.failed + this.counts.unexpected + this.counts.unavailable;
  }

  /** Limits the log lines of a long outage. */
  get isLogged(): boolean {
    return this.count <= LOGGED_TRIES || this.count % LOGGED_EVERY === 0;
  }

  /** Milliseconds until the next attempt; undefined if the event must be parked. */
  after(error: unknown): number | undefined {
    if (error instanceof UnknownEvent) return undefined;
    if (error instanceof Unavailable && error.unexpected)
      return this.next('unexpected', this.schedule.unexpected ?? UNEXPECTED);
    if (!isOutage(error)) return this.next('failed', this.schedule.failed);
    const { unavailable } = this.schedule;
    return this.next('unavailable', unavailable) ?? unavailable.at(-1) ?? 0;
  }

  /** Milliseconds until parking is tried again. There is no limit. */
  afterParkingFailed(): number {
    this.parkingFailures += 1;
    return retryDelay(this.parkingFailures);
  }

  private next(kind: keyof Tries['counts'], waits: readonly number[]): number | undefined {
    const wait = waits[this.counts[kind]];
    this.counts[kind] += 1;
    return wait;
  }
}
