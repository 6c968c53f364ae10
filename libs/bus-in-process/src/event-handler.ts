import type { ConsumerOptions, EngineLogger, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { failureText, logged, safeError } from '@ponte/event-sourcing';
import { ParkedStreams } from './parked-streams';
import type { Tries } from './retries';

export interface EventHandlerParts {
  readonly parked: ParkedEvents;
  readonly logger: EngineLogger;
  readonly systemNow: () => number;
  /** Waited for before each attempt to handle an event. */
  readonly turn?: () => Promise<void> | undefined;
  /** Called when the consumer has handled an event, including one that was parked before. */
  readonly handled?: (event: Recorded) => void;
}

/** What a bus adds to the handling of one event. */
export interface EventCircumstances {
  /** If set, the event is parked for this reason without being handled. */
  readonly refusal?: string;
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

  constructor(
    private readonly parts: EventHandlerParts,
    private readonly options: ConsumerOptions,
    /** Log fields that identify the consumer. */
    private readonly names: Readonly<Record<string, string>>,
  ) {
    this.types = options.types && new Set(options.types);
    this.streams = new ParkedStreams(parts.parked, options.group, parts.systemNow);
  }

  isWanted(event: Recorded): boolean {
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
      if (await this.streams.parkedBehind(event)) return undefined;
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
        return wait;
      }
      logger.error(fields, 'an event handler failed permanently; the event and its stream are parked');
      return this.park(event, tries, failureText(error), circumstances);
    }
  }

  /** Handles the parked events of a key again. Rejects if one of them fails again. */
  replay(key: string): Promise<void> {
    return this.streams.replay(key, (event) => this.consume(event));
  }

  /** The parked keys accepted by `isAsked` whose first event was parked because of an outage. */
  outages(isAsked: (key: string) => boolean): Promise<readonly string[]> {
    return this.streams.outages(isAsked);
  }

  private async consume(event: Recorded): Promise<void> {
    await this.options.consume(event);
    this.parts.handled?.(event);
  }

  private async park(
    event: Recorded,
    tries: Tries,
    reason: string,
    { parking = (_, park) => park() }: EventCircumstances,
  ): Promise<number | undefined> {
    try {
      await parking(reason, () => this.streams.park(event, reason));
      return undefined;
    } catch (error) {
      return this.parkingFailed(event, tries, error);
    }
  }

  private parkingFailed(event: Recorded, tries: Tries, error: unknown): number {
    const fields = { ...this.fields(event), event: event.id, error: safeError(error) };
    this.parts.logger.error(fields, 'an event could not be parked; this will be retried');
    return tries.afterParkingFailed();
  }

  private fields({ meta }: Recorded): object {
    return { ...logged(meta), ...this.names };
  }
}
