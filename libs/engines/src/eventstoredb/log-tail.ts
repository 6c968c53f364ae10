import type { EventStoreDBClient } from '@eventstore/db-client';
import { FORWARDS, START } from '@eventstore/db-client';
import type { LogSlice, LogSubscription, Position } from '@ponte/event-sourcing';
import { safeError } from '../log';
import { Bell } from './bell';
import type { FeedParts, Step } from './feed';
import { Feed, wants } from './feed';
import { readFailure } from './failures';
import type { EventStoreDbLimits } from './options';
import { comparePositions, fromPosition, toPosition } from './position';
import { eventsOf } from './reading';
import { TimedOut } from './time-out';

export interface TailParts extends Omit<FeedParts, 'capacity' | 'bell'> {
  /** Reads the end of the log; another client than the subscription's. */
  readonly reads: EventStoreDBClient;
  readonly limits: EventStoreDbLimits;
  /** The last place of these categories that this store was acknowledged to have written. */
  readonly written: () => Position | undefined;
  readonly gone: (tail: LogTail) => void;
}

/** Events read at the end of the log in one look; what lies behind more of them is left to the subscription. */
const LOOK = 256;
/** Between two looks that follow events, unless they keep coming: every reader would else read every event of the log once more. */
const QUIET_MS = 250;
/** How long a slice waits for events that are known to be on their way. */
const PATIENCE_MS = 1_000;

/**
 * One reader of the log. A subscription brings the events. It does not say where the log ends: checkpoints come once in
 * some hundred events. So when nothing more comes, the end of the log is read as well, which tells the consumer that it is up to
 * date, moves its position past what the filter left out, and shows when the subscription has died without a word.
 */
export class LogTail implements LogSubscription {
  private readonly bell = new Bell();
  private readonly limit: number;
  private feed: Feed | undefined;
  private closed = false;
  /** When the end of the log is to be looked at next. */
  private due = 0;
  private looked = -Infinity;
  /** An event that a look has found and the subscription has not brought, and since when. */
  private missing: { readonly position: Position; readonly since: number } | undefined;
  private patient = true;
  /** The consumer knows that it has everything. */
  private told = false;

  constructor(private readonly parts: TailParts, private position: Position | undefined, limit: number) {
    if (position !== undefined) fromPosition(position);
    this.limit = limit;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LogSlice, void, undefined> {
    try {
      if (this.closed) return;
      const { client, logger, resubscribeMs, categories } = this.parts;
      this.feed ??= new Feed({ client, logger, resubscribeMs, categories, capacity: this.limit, bell: this.bell }, this.position);
      this.lookSoon();
      for (let slice = await this.next(this.feed); slice; slice = await this.next(this.feed)) yield slice;
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    this.feed?.close();
    this.bell.ring();
    this.parts.gone(this);
  }

  /** Undefined at the end. */
  private async next(feed: Feed): Promise<LogSlice | undefined> {
    while (!this.closed) {
      if (feed.size > 0) {
        await this.awaitOwn(feed);
        const slice = this.slice(feed.take(this.limit));
        if (slice) return this.closed ? undefined : slice;
        continue;
      }
      if (feed.failure !== undefined) throw readFailure(feed.failure);
      const wait = this.due - performance.now();
      if (wait > 0) await this.bell.wait(wait);
      else {
        const slice = await this.look(feed);
        if (slice && !this.closed) return slice;
      }
    }
    return undefined;
  }

  /** What this store wrote before it was asked belongs to the slice: it is on its way, and then the slice is not a part of it. */
  private async awaitOwn(feed: Feed): Promise<void> {
    const goal = this.parts.written();
    const end = performance.now() + PATIENCE_MS;
    const short = (): boolean =>
      goal !== undefined && feed.size < this.limit && feed.received !== undefined && comparePositions(feed.received, goal) < 0;
    while (this.patient && short() && !this.closed && feed.failure === undefined) {
      const left = end - performance.now();
      if (left > 0) await this.bell.wait(left);
      else this.patient = false;
    }
  }

  private slice(steps: readonly Step[]): LogSlice | undefined {
    const newer = steps.filter(({ position }) => this.position === undefined || comparePositions(position, this.position) > 0);
    const last = newer.at(-1);
    if (!last) return undefined;
    this.position = last.position;
    this.missing = undefined;
    const events = newer.flatMap(({ event }) => (event ? [event] : []));
    if (events.length > 0) this.told = false;
    if (!this.told) this.lookSoon();
    // Only a place: the subscription lives, and is near the end of a log that moves on. A look would read what is not wanted, event by event.
    else this.due = performance.now() + this.parts.limits.lookMs;
    return { events, position: last.position, caughtUp: false };
  }

  /** Reads on from the position, without the filter, to the end of the log if it is near. */
  private async look(feed: Feed): Promise<LogSlice | undefined> {
    this.looked = performance.now();
    this.due = this.looked + this.parts.limits.lookMs;
    const from = this.position;
    try {
      const { seen, last, wanted } = await this.readOn(from);
      // What came in the meantime is taken first.
      if (this.closed || feed.size > 0) return undefined;
      if (wanted !== undefined) {
        this.expect(feed, wanted);
        return undefined;
      }
      this.missing = undefined;
      const position = last ?? from;
      const caughtUp = seen < LOOK;
      if (position === undefined || (position === from && (!caughtUp || this.told))) return undefined;
      this.position = position;
      this.told = caughtUp;
      if (!caughtUp) this.lookSoon();
      return { events: [], position, caughtUp };
    } catch (error) {
      if (error instanceof TimedOut) feed.renew();
      this.parts.logger.warn({ error: safeError(error), after: from }, 'the end of the log could not be read and will be looked at again');
      return undefined;
    }
  }

  private async readOn(from: Position | undefined): Promise<{ seen: number; last?: Position; wanted?: Position }> {
    const reading = this.parts.reads.readAll({ direction: FORWARDS, fromPosition: from === undefined ? START : fromPosition(from), maxCount: LOOK });
    let seen = 0;
    let last: Position | undefined;
    for await (const { event } of eventsOf(reading, this.parts.limits.readMs)) {
      seen += 1;
      if (!event) continue;
      const position = toPosition(event.position);
      if (from !== undefined && comparePositions(position, from) <= 0) continue;
      if (wants(this.parts.categories, event.streamId)) return { seen, last, wanted: position };
      last = position;
    }
    return { seen, last };
  }

  /** The subscription owes this event. One that does not bring it until the next looks is opened anew. */
  private expect(feed: Feed, position: Position): void {
    const now = performance.now();
    if (this.missing?.position !== position) this.missing = { position, since: now };
    else if (now - this.missing.since > this.parts.limits.lookMs) {
      this.missing = undefined;
      feed.renew();
    }
  }

  /** The first look comes at once; later ones when it has become quiet, and a busy reader is told how far it is all the same. */
  private lookSoon(): void {
    const { idleMs, lookMs } = this.parts.limits;
    const now = performance.now();
    this.due = Math.min(now + QUIET_MS, Math.max(now + idleMs, this.looked + lookMs));
  }
}
