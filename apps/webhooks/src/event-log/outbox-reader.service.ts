import { Inject, Injectable } from '@nestjs/common';
import type { LoggedEvent, OutboxEntry } from '@ponte/contracts';
import { EnvelopePublished, outboxEntries } from '@ponte/contracts';
import type { EventStore, Position, Recorded } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import { addSeconds, lruCache } from '@ponte/kernel';
import { EVENT_STORE } from '@ponte/nest';

const CATEGORY = 'outbox';
const EVENTS_PER_READ = 32;
/** The number of cached revisions, with which a next page is found without a search. */
const CACHED_REVISIONS = 20_000;
/** The clocks of processes differ slightly, so the times in a log are only roughly in its order. */
const CLOCK_SKEW_SECONDS = 60;

const current = upcaster([EnvelopePublished]);

type Written = Recorded<EnvelopePublished>;

const firstNumber = ({ revision, data: { first } }: Written): number => first ?? revision + 1;
const lastNumber = (event: Written): number => firstNumber(event) + outboxEntries(event.data).length - 1;

/**
 * Reads outboxes. Each is a stream `outbox-<accountId>`, whose entries are numbered from 1 without gaps; one stream
 * event contains one or more entries.
 */
@Injectable()
export class OutboxReader {
  /** The revision of the event with the entry after a number, by account and number. */
  private readonly revisions = lruCache<string, number>(CACHED_REVISIONS);

  constructor(@Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'read' | 'comparePositions'>) {}

  /** Returns at most `limit` entries after a number, and whether there are more. */
  async after(
    accountId: string,
    number: number,
    limit: number,
  ): Promise<{ readonly events: LoggedEvent[]; readonly more: boolean }> {
    const stream = streamName(CATEGORY, accountId);
    let revision =
      this.revisions.get(`${accountId}/${number}`) ?? (await this.first(stream, (one) => lastNumber(one) > number));
    const events: LoggedEvent[] = [];
    while (revision !== undefined) {
      const read = await this.events(stream, revision);
      for (const event of read) {
        for (const one of numbered(event)) {
          if (one.number <= number) continue;
          if (events.length === limit) return { events, more: true };
          events.push(one);
          this.revisions.set(
            `${accountId}/${one.number}`,
            one.number === lastNumber(event) ? event.revision + 1 : event.revision,
          );
        }
      }
      if (read.length < EVENTS_PER_READ) break;
      revision += read.length;
    }
    return { events, more: false };
  }

  /** The number of the last entry, 0 for an empty outbox. */
  async end(accountId: string): Promise<number> {
    const stream = streamName(CATEGORY, accountId);
    const beyond = await this.first(stream, () => false, true);
    const [last] = beyond === undefined || beyond === 0 ? [] : await this.events(stream, beyond - 1, 1);
    return last ? lastNumber(last) : 0;
  }

  /**
   * The number of the first entry that occurred at or after a time (ISO 8601); the next free number when there is no
   * such entry.
   */
  async firstSince(accountId: string, time: string): Promise<number> {
    const stream = streamName(CATEGORY, accountId);
    const revision = await this.first(stream, ({ meta }) => meta.occurredAt >= time);
    if (revision === undefined) return (await this.end(accountId)) + 1;
    const [event] = await this.events(stream, revision, 1);
    const entry = event && numbered(event).find(({ envelope }) => envelope.occurredAt >= time);
    return entry?.number ?? (event ? firstNumber(event) : 1);
  }

  /**
   * Yields the entries that occurred from one time to another, both inclusive, in batches and in the order of the log.
   * An entry that was parked counts at the time of its release.
   */
  async *range(accountId: string, from: string, to: string): AsyncGenerator<readonly OutboxEntry[]> {
    const stream = streamName(CATEGORY, accountId);
    const begin = addSeconds(from, -CLOCK_SKEW_SECONDS);
    let revision = await this.first(stream, ({ meta }) => meta.occurredAt >= begin);
    while (revision !== undefined) {
      const read = await this.events(stream, revision);
      const entries = read.flatMap(({ data }) => outboxEntries(data));
      yield entries.filter((entry) => {
        const at = entry.publishedAt ?? entry.envelope.occurredAt;
        return at >= from && at <= to;
      });
      const last = read.at(-1);
      if (read.length < EVENTS_PER_READ || !last || last.meta.occurredAt > addSeconds(to, CLOCK_SKEW_SECONDS)) return;
      revision += read.length;
    }
  }

  /** Whether the outbox has an entry whose source is at or after this position of the source log. */
  async reaches(accountId: string, position: Position): Promise<boolean> {
    const revision = await this.first(
      streamName(CATEGORY, accountId),
      ({ data }) => this.store.comparePositions(data.sourcePosition, position) >= 0,
    );
    return revision !== undefined;
  }

  /**
   * The entry of an event that was published from this position of the source log; undefined when it does not exist.
   */
  async published(accountId: string, eventId: string, sourcePosition: Position): Promise<OutboxEntry | undefined> {
    const stream = streamName(CATEGORY, accountId);
    const revision = await this.first(
      stream,
      ({ data }) => this.store.comparePositions(data.sourcePosition, sourcePosition) >= 0,
    );
    // One event of the source log may be published as several event types, and a release as many events. Their entries
    // may be in several stream events.
    for (let at = revision; at !== undefined; at += 2) {
      const events = await this.events(stream, at, 2);
      const entries = events.flatMap(({ data }) => outboxEntries(data));
      const found = entries.find(({ envelope }) => envelope.eventId === eventId);
      const last = events.at(-1);
      if (found || events.length < 2 || !last) return found;
      if (this.store.comparePositions(last.data.sourcePosition, sourcePosition) > 0) return undefined;
    }
    return undefined;
  }

  /**
   * The first revision for which `holds` is true, given that it stays true from there on. Takes 2·log2(n) reads of one
   * event. If it is never true: undefined, or with `orEnd` the revision after the last one.
   */
  private async first(stream: string, holds: (event: Written) => boolean, orEnd = false): Promise<number | undefined> {
    let low = -1;
    let high = 0;
    for (;;) {
      const [event] = await this.events(stream, high, 1);
      if (!event || holds(event)) break;
      low = high;
      high = high * 2 + 1;
    }
    let found = false;
    // Invariant: `holds` is false at `low`; at `high` it is true, or the stream has ended.
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      const [event] = await this.events(stream, middle, 1);
      if (event && !holds(event)) low = middle;
      else high = middle;
    }
    const [event] = await this.events(stream, high, 1);
    found = event !== undefined && holds(event);
    return found || orEnd ? high : undefined;
  }

  private async events(stream: string, from: number, limit = EVENTS_PER_READ): Promise<Written[]> {
    return (await this.store.read(stream, { from, limit })).map((event) => current<EnvelopePublished>(event));
  }
}

const numbered = (event: Written): LoggedEvent[] =>
  outboxEntries(event.data).map(({ envelope }, index) => ({ number: firstNumber(event) + index, envelope }));
