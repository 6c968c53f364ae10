import type { ParkedEvents, EngineLogger } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import { isOutage, isOutageReason } from './outages';

/** What has parked events and can hand them over again. */
export interface Releasing {
  outages(): Promise<readonly string[]>;
  release(key: string): Promise<void>;
}

export interface OutageReleaseParts {
  readonly everyMs: number;
  readonly readers: readonly Releasing[];
  readonly logger: EngineLogger;
}

/** Often enough that orders do not wait long, and rarely enough to cost nothing. */
export const OUTAGE_RELEASE_MS = 30_000;

/** Of these keys, those whose first parked event was parked because of an outage; the others wait behind it. */
export async function keysOfOutages(
  parked: ParkedEvents,
  group: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const key of keys) {
    const [first] = await parked.list(group, key);
    if (first && isOutageReason(first.reason)) found.push(key);
  }
  return found;
}

/** Hands events that an outage has parked over again until it is over. Poison stays parked for an operator. */
export class OutageRelease {
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private stopped = false;

  constructor(private readonly parts: OutageReleaseParts) {}

  /** Also at once: what an earlier process has parked. */
  start(): void {
    if (this.stopped) return;
    this.timer ??= setInterval(() => void this.look(), this.parts.everyMs).unref();
    void this.look();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (this.running) return;
    this.running = true;
    const { readers, logger } = this.parts;
    for (const reader of readers) {
      try {
        await this.releaseAll(reader);
      } catch (error) {
        if (!this.stopped)
          logger.warn({ error: safeError(error) }, 'parked events could not be read and are looked at again');
      }
    }
    this.running = false;
  }

  private async releaseAll(reader: Releasing): Promise<void> {
    const { logger } = this.parts;
    for (const key of await reader.outages()) {
      if (this.stopped) return;
      try {
        await reader.release(key);
        logger.warn({ stream: key }, 'events that an outage had parked were handled and are released');
      } catch (error) {
        logger.warn(
          { stream: key, error: safeError(error) },
          'events that an outage had parked could not be handled yet',
        );
        // The outage goes on: the others are left for the next look.
        if (isOutage(error)) return;
      }
    }
  }
}
