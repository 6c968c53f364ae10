import type { ConsumerOptions, EngineLogger, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { failureText, logged, safeError } from '@ponte/event-sourcing';
import type { BackgroundThrottle } from './background-throttle';
import { keysOfOutages } from './outages';
import type { RetrySchedule, Tries } from './retries';

export interface HandlerParts {
  readonly parked: ParkedEvents;
  readonly logger: EngineLogger;
  readonly systemNow: () => number;
  readonly retries: RetrySchedule;
  readonly throttle: BackgroundThrottle;
}

/** Before parking is tried again. */
const PARK_AGAIN_MS = 500;

/** Hands events to one consumer: again when they fail, and parked with the rest of their stream if they never pass. */
export class EventHandler {
  private parkedKeys = new Set<string>();

  constructor(
    private readonly parts: HandlerParts,
    private readonly options: ConsumerOptions,
    /** Names the reader in the log. */
    private readonly reader: string,
  ) {}

  async loadParked(): Promise<void> {
    this.parkedKeys = new Set(await this.parts.parked.keys(this.options.group));
  }

  /** Undefined when the event is done with: handled, or parked durably. Else milliseconds until the next try. */
  async handle(event: Recorded, tries: Tries): Promise<number | undefined> {
    if (this.parkedKeys.has(event.stream)) return this.park(event, 'waits behind an earlier event of its stream');
    const { throttle, logger } = this.parts;
    try {
      await throttle.turn();
      await this.options.consume(event);
      return undefined;
    } catch (error) {
      const wait = tries.after(error);
      const fields = {
        ...logged(event.meta),
        reader: this.reader,
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
      return this.park(event, failureText(error));
    }
  }

  /** Hands the parked events of a key over again. Rejects when one of them fails again. */
  async replay(key: string): Promise<void> {
    const { group, consume } = this.options;
    for (const { event } of await this.parts.parked.list(group, key)) {
      await consume(event);
      await this.parts.parked.remove(group, event.id);
    }
    this.parkedKeys.delete(key);
  }

  /** Of the parked keys that are asked for, those whose first event was parked because of an outage. */
  outages(isAsked: (key: string) => boolean): Promise<readonly string[]> {
    return keysOfOutages(this.parts.parked, this.options.group, [...this.parkedKeys].filter(isAsked));
  }

  private async park(event: Recorded, reason: string): Promise<number | undefined> {
    try {
      const parkedAt = new Date(this.parts.systemNow()).toISOString();
      await this.parts.parked.add({ group: this.options.group, key: event.stream, event, reason, parkedAt });
      this.parkedKeys.add(event.stream);
      return undefined;
    } catch (error) {
      this.parts.logger.error(
        { ...logged(event.meta), reader: this.reader, event: event.id, error: safeError(error) },
        'parking failed and is tried again',
      );
      return PARK_AGAIN_MS;
    }
  }
}
