import type { Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { EventTable, Row } from './event-table';
import { StoredEvent } from './event-table';

/** How many of the newest streams are remembered in each category; up to twice as many. */
const REMEMBERED = 2_048;
/** Longer texts are not kept in memory. A quote has about 1,800 characters. */
const MAX_CHARACTERS = 4_096;
/** SQLite and JavaScript order such names in the same way. */
const PLAIN = /^[!-~]+$/;

/** The first event of a stream, unless its text is long or it is not known to be written. */
type FirstEvent = Pick<Row, 'position' | 'body'> | typeof NOT_IN_MEMORY;
const NOT_IN_MEMORY = null;

/**
 * Streams that this process has begun lately. Most streams are looked for just before they begin, and quotes are read
 * once more when they are accepted; both would be queries. Ids mostly begin with their time, so a new stream has a
 * greater name than the older ones of its category.
 */
export class NewStreams {
  private readonly categories = new Map<string, NewStreamsOfCategory>();

  constructor(private readonly table: Pick<EventTable, 'greatestOf'>) {}

  /** Call before the rows are written. Remembering the name of a stream that is not written after all does no harm. */
  begin(rows: readonly Row[]): void {
    for (const { stream, revision } of rows) if (revision === 0) this.of(stream).set(stream, NOT_IN_MEMORY);
  }

  /** Call when the row was written. */
  keep({ stream, revision, position, body }: Row): void {
    if (revision === 0 && body.length <= MAX_CHARACTERS) this.of(stream).set(stream, { position, body });
  }

  /** True if the stream certainly does not exist; false if only a query can tell. */
  isNew(stream: string): boolean {
    return PLAIN.test(stream) && stream.includes('-') && this.of(stream).lacks(stream);
  }

  /** The first event of a stream that exists, if it is in memory. */
  firstOf(stream: string): Recorded | undefined {
    const first = this.of(stream).find(stream);
    return first ? new StoredEvent(first.position, stream, 0, first.body).event : undefined;
  }

  private of(stream: string): NewStreamsOfCategory {
    const category = categoryOf(stream);
    const known = this.categories.get(category);
    if (known) return known;
    const streams = new NewStreamsOfCategory(() => this.table.greatestOf(category));
    this.categories.set(category, streams);
    return streams;
  }
}

/** Each stream of the category is remembered here, or its name is at most one of the two greatest names. */
class NewStreamsOfCategory {
  private latest = new Map<string, FirstEvent>();
  private earlier = new Map<string, FirstEvent>();
  /** The greatest name in the file when it was first needed. Streams that were being written then are remembered. */
  private greatestInFile: string | undefined;
  private greatestForgotten = '';

  constructor(private readonly greatest: () => string) {}

  set(stream: string, first: FirstEvent): void {
    this.latest.set(stream, first);
    if (this.latest.size < REMEMBERED) return;
    for (const old of this.earlier.keys()) if (old > this.greatestForgotten) this.greatestForgotten = old;
    this.earlier = this.latest;
    this.latest = new Map();
  }

  /** Undefined if the stream is not remembered. */
  find(stream: string): FirstEvent | undefined {
    const first = this.latest.get(stream);
    return first === undefined ? this.earlier.get(stream) : first;
  }

  lacks(stream: string): boolean {
    this.greatestInFile ??= this.greatest();
    return stream > this.greatestInFile && stream > this.greatestForgotten && this.find(stream) === undefined;
  }
}
