import type { EngineLogger, MayRelease, ParkedEvents, ParkedReason } from '@ponte/event-sourcing';
import {
  AppendOutcomeUnknown,
  errorCodeOf,
  EventStoreUnavailable,
  isDiskFailure,
  PARKED_BEHIND,
  reasonsOf,
  safeError,
} from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';

/** Error codes of Node for a failed connection, not for bad input. */
const CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'EMFILE',
  'ENFILE',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
]);
/** The number of nested causes to search, more than any library produces. */
const MAX_CAUSES = 5;
/** Matches the texts that {@link failureText} returns for outages. */
const REASONS = /^(Unavailable|EventStoreUnavailable|AppendOutcomeUnknown)\b/;
/** Matches its text for an `Unavailable` that is a defect of the service that answered. */
const UNEXPECTED = /^Unavailable: unexpected /;

/** True if something cannot be reached or written at the moment. The event itself is then fine, and waiting helps. */
export function isOutage(error: unknown): boolean {
  for (let at = error, level = 0; at instanceof Error && level < MAX_CAUSES; at = at.cause, level += 1) {
    if (at instanceof Unavailable) return !at.unexpected;
    if (at instanceof EventStoreUnavailable || at instanceof AppendOutcomeUnknown) return true;
    if (isDiskFailure(at) || CONNECTION.has(errorCodeOf(at))) return true;
    // kafkajs marks each of its errors as retriable or not.
    if (at.name.startsWith('KafkaJS') && (at as { retriable?: unknown }).retriable === true) return true;
  }
  return false;
}

/** Like {@link isOutage}, for the stored reason of a parked event. */
export const isOutageReason = (reason: string): boolean => REASONS.test(reason) && !UNEXPECTED.test(reason);

/** Whether an event was parked because of an outage, or behind one of its stream. */
const isOneByOutage = (one: ParkedReason, isFirst: boolean): boolean =>
  reasonsOf(one).every((reason) => isOutageReason(reason) || (!isFirst && reason === PARKED_BEHIND));

/** Whether the events of a stream were all parked because of an outage, or behind others. */
export const isByOutage: MayRelease = (waiting) => waiting.every((one, at) => isOneByOutage(one, at === 0));

/** Size of a page, which is processed before other work of the process continues. */
const PAGE = 1_000;

/**
 * The keys of a group whose events were all parked because of an outage, or behind others. After a defect, a hundred
 * thousand events may be parked: they are read in pages, and without the events themselves.
 */
export async function outageKeys(parked: ParkedEvents, group: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  let last: ParkedReason | undefined;
  for (;;) {
    const page = await parked.reasons(group, PAGE, last);
    for (const one of page) {
      const isFirst = one.key !== last?.key;
      if (!isOneByOutage(one, isFirst)) keys.delete(one.key);
      else if (isFirst) keys.add(one.key);
      last = one;
    }
    if (page.length < PAGE) return keys;
    await new Promise(setImmediate);
  }
}

/** A reader that has parked events and can handle them again. */
interface ReleasableReader {
  outages(): Promise<readonly string[]>;
  release(key: string, mayRelease: MayRelease): Promise<boolean>;
}

interface OutageReleaseParts {
  readonly everyMs: number;
  readonly readers: readonly ReleasableReader[];
  readonly logger: EngineLogger;
}

/** Short enough that orders do not wait long, and long enough to cost nothing. */
export const OUTAGE_RELEASE_MS = 30_000;

/** Handles events again that were parked because of an outage. Other events stay parked for an operator. */
export class OutageRelease {
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private stopped = false;

  constructor(private readonly parts: OutageReleaseParts) {}

  /** Also runs at once, for events that an earlier process parked. */
  start(): void {
    if (this.stopped) return;
    this.timer ??= setInterval(() => void this.releaseOnce(), this.parts.everyMs).unref();
    void this.releaseOnce();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  private async releaseOnce(): Promise<void> {
    if (this.running) return;
    this.running = true;
    const { readers, logger } = this.parts;
    for (const reader of readers) {
      try {
        await this.releaseAll(reader);
      } catch (error) {
        if (!this.stopped)
          logger.warn({ error: safeError(error) }, 'parked events could not be read; this will be retried');
      }
    }
    this.running = false;
  }

  private async releaseAll(reader: ReleasableReader): Promise<void> {
    const { logger } = this.parts;
    for (const key of await reader.outages()) {
      if (this.stopped) return;
      try {
        const isReleased = await reader.release(key, isByOutage);
        logger.warn(
          { stream: key },
          isReleased
            ? 'events that were parked by an outage have been handled and released'
            : 'a stream that was parked by an outage is now parked for another reason too; it waits for an operator',
        );
      } catch (error) {
        if (this.stopped) return;
        logger.warn(
          { stream: key, error: safeError(error) },
          'events that were parked by an outage still cannot be handled',
        );
        // The outage is not over: leave the other keys for the next run.
        if (isOutage(error)) return;
      }
    }
  }
}
