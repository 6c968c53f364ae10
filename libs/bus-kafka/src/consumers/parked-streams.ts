import { setTimeout as pause } from 'node:timers/promises';
import type { ConsumerOptions, EngineLogger, ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import { keysOfOutages } from '@ponte/bus-in-process';

export interface ParkedStreamsParts {
  readonly parked: ParkedEvents;
  readonly logger: EngineLogger;
  readonly systemNow: () => number;
}

/** Before what failed in storage or on the wire is tried again. */
export const AGAIN_MS = 500;
const BEHIND = 'waits behind an earlier event of its stream';

/** The streams of one group that have parked events, and those events. */
export class ParkedStreams {
  private keys = new Set<string>();
  private ready: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly parts: ParkedStreamsParts,
    private readonly options: ConsumerOptions,
  ) {}

  /** What is parked is asked for again: the streams that this member got may have been parked by another one. */
  refresh(): void {
    this.ready = this.ready.then(async () => {
      while (!this.stopped) {
        try {
          this.keys = new Set(await this.parts.parked.keys(this.options.group));
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

  /** Resolves when what was last asked for is known. */
  known(): Promise<void> {
    return this.ready;
  }

  stop(): void {
    this.stopped = true;
  }

  async park(event: Recorded, reason: string): Promise<void> {
    const parkedAt = new Date(this.parts.systemNow()).toISOString();
    await this.parts.parked.add({ group: this.options.group, key: event.stream, event, reason, parkedAt });
    this.keys.add(event.stream);
  }

  /**
   * Parks an event if others of its stream are parked. False when there is nothing to wait behind, perhaps after all:
   * another process of the service may have released the stream, and this one had not heard of it.
   */
  async parkedBehind(event: Recorded): Promise<boolean> {
    if (!this.keys.has(event.stream)) return false;
    const before = await this.waiting(event.stream);
    if (before.some((one) => one.event.id === event.id)) return true;
    if (before.length > 0) {
      await this.park(event, BEHIND);
      // Those before it may have been released at this very moment: then no one would hand it over.
      const after = await this.waiting(event.stream);
      if (after.some((one) => one.event.id !== event.id)) return true;
      await this.parts.parked.remove(this.options.group, event.id);
    }
    this.keys.delete(event.stream);
    return false;
  }

  /** Hands the parked events of a stream over, the first one first. Rejects when one of them fails again. */
  async replay(key: string, handled: (event: Recorded) => void): Promise<void> {
    const { group, consume } = this.options;
    // Until nothing is left: another process of the service may be parking more behind what is handed over here.
    for (let waiting = await this.waiting(key); waiting.length > 0; waiting = await this.waiting(key)) {
      // Of one stream: whatever was published late comes in its place all the same.
      for (const { event } of [...waiting].sort((a, b) => a.event.revision - b.event.revision)) {
        await consume(event);
        await this.parts.parked.remove(group, event.id);
        handled(event);
      }
    }
    this.keys.delete(key);
  }

  /** Of the streams that are asked for, those whose first event was parked because of an outage. */
  async outages(isAsked: (key: string) => boolean): Promise<readonly string[]> {
    await this.ready;
    return keysOfOutages(this.parts.parked, this.options.group, [...this.keys].filter(isAsked));
  }

  private waiting(key: string): Promise<readonly ParkedEvent[]> {
    return this.parts.parked.list(this.options.group, key);
  }
}
