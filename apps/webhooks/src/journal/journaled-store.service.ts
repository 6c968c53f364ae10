import { Inject, Injectable } from '@nestjs/common';
import type { Appended, EventToAppend, ReadOptions, Recorded, StreamStore } from '@ponte/event-sourcing';
import {
  AppendOutcomeUnknown,
  idOf,
  KeyedMutex,
  NO_STREAM,
  streamName,
  WrongExpectedRevision,
} from '@ponte/event-sourcing';
import { EVENT_STORE, READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { closingEvents, missingEvents } from './closing';
import type { JournalRow, JournalSchema } from './journal.read-model';
import { journalRow, recordedRow } from './journal.read-model';

/** One append that waits to be written to the journal. */
interface WaitingAppend {
  readonly stream: string;
  /** `written`: the rows are in the journal already, and only the callback has to be called. */
  readonly rows: readonly JournalRow[];
  readonly written: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

type Listener = (events: readonly Recorded[]) => Promise<void>;
type Show = (events: readonly Pick<Recorded, 'stream' | 'revision'>[]) => Promise<void>;

/** The most appends written in one statement. */
const BATCH = 64;
/** Number of events in the log for a journaled delivery that succeeded. */
const CLOSING = 3;
const DELIVERED_AT_ONCE = 'DeliveredAtOnce';

/**
 * The store of the streams `delivery-…`. A delivery that succeeds at the first attempt is only in the log. Every other
 * delivery is in the journal, a table of the read database; when it succeeds, its closing events are first appended to
 * the log and then written to the journal.
 */
@Injectable()
export class JournaledStore implements StreamStore {
  readonly soleWriter: boolean;
  private readonly db: Kysely<JournalSchema>;
  private readonly waiting: WaitingAppend[] = [];
  private writing = false;
  /** Serializes the appends to each stream; an append that waits for the log does not delay other streams. */
  private readonly mutex = new KeyedMutex();
  private notify: Listener = async () => undefined;
  private show: Show = async () => undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly log: StreamStore,
    @Inject(READ_MODELS) readModels: Kysely<unknown>,
  ) {
    this.db = readModels as Kysely<JournalSchema>;
    this.soleWriter = log.soleWriter;
  }

  /** `notify` receives journaled events before their append resolves. `show` only writes the rows of the read model. */
  listen(notify: Listener, show: Show): void {
    this.notify = notify;
    this.show = show;
  }

  append(stream: string, expected: number, events: readonly EventToAppend[]): Promise<Appended> {
    if (expected === NO_STREAM && events[0]?.type === DELIVERED_AT_ONCE)
      return this.log.append(stream, expected, events);
    return this.mutex.take(stream, () => this.journal(stream, expected, events));
  }

  async read(stream: string, { from = 0, limit }: ReadOptions = {}): Promise<Recorded[]> {
    const own = (await this.journaled([idOf(stream)])).get(idOf(stream)) ?? [];
    if (own.length === 0) return this.log.read(stream, { from, limit });
    const all = await this.whole(stream, own);
    return all.slice(from, limit === undefined ? undefined : from + limit);
  }

  /**
   * Reads the streams of several deliveries, in the order of their ids. One statement reads the journal; `fromLog` runs
   * each read of the log, so that the caller can limit them.
   */
  async readAll(
    deliveryIds: readonly string[],
    fromLog: <T>(read: () => Promise<T>) => Promise<T>,
  ): Promise<Recorded[][]> {
    const known = await this.journaled(deliveryIds);
    return Promise.all(
      deliveryIds.map((id) => {
        const [stream, own] = [streamName('delivery', id), known.get(id)];
        if (own?.at(-1)?.type === 'DeliverySucceeded') return own;
        return fromLog(() => (own ? this.whole(stream, own) : this.log.read(stream)));
      }),
    );
  }

  /** Writes the rows of these deliveries again, which have journal events up to the given revisions. */
  async showAgain(deliveries: readonly (readonly [deliveryId: string, revision: number])[]): Promise<void> {
    await this.show(deliveries.map(([id, revision]) => ({ stream: streamName('delivery', id), revision })));
  }

  /** After a crash between the two writes of a success, the journal is behind the log. This adds the missing events. */
  private async whole(stream: string, own: Recorded[]): Promise<Recorded[]> {
    if (own.at(-1)?.type === 'DeliverySucceeded') return own;
    const missing = missingEvents(own, await this.log.read(stream, { limit: CLOSING }));
    if (missing.length === 0) return own;
    const rows = missing.map((event, at) => journalRow(idOf(stream), own.length + at, event));
    await this.db
      .insertInto('webhook_delivery_journal')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['delivery_id', 'revision']).doNothing())
      .execute();
    return (await this.journaled([idOf(stream)])).get(idOf(stream)) ?? own;
  }

  private async journaled(deliveryIds: readonly string[]): Promise<Map<string, Recorded[]>> {
    const rows = await this.db
      .selectFrom('webhook_delivery_journal')
      .selectAll()
      .where('delivery_id', 'in', [...new Set(deliveryIds)])
      .orderBy('delivery_id')
      .orderBy('revision')
      .execute();
    const known = new Map<string, Recorded[]>();
    for (const row of rows) known.set(row.delivery_id, [...(known.get(row.delivery_id) ?? []), recordedRow(row)]);
    return known;
  }

  private async journal(stream: string, expected: number, events: readonly EventToAppend[]): Promise<Appended> {
    const id = idOf(stream);
    const own = (await this.journaled([id])).get(id) ?? [];
    // The delivery began in the log, before the journal existed.
    if (own.length === 0 && expected !== NO_STREAM) return this.log.append(stream, expected, events);
    const there = own.slice(expected + 1);
    const written = there.length > 0 && events.every((event, at) => there[at]?.id === event.id);
    if (!written) {
      if (own.length - 1 !== expected) throw new WrongExpectedRevision(stream, expected, own.length - 1);
      const closing = closingEvents(own, events);
      if (closing.length > 0) await this.log.append(stream, NO_STREAM, closing);
      else if (expected === NO_STREAM && (await this.log.read(stream, { limit: 1 })).length > 0)
        throw new WrongExpectedRevision(stream, expected, 0);
    }
    const rows = events.map((event, at) => journalRow(id, expected + 1 + at, event));
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ stream, rows, written, resolve, reject });
      if (!this.writing) void this.writeAll();
    });
    return { revision: expected + events.length, position: '' };
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      await this.write(batch).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (cause: unknown) => batch.forEach(({ stream, reject }) => reject(new AppendOutcomeUnknown(stream, { cause }))),
      );
    }
    this.writing = false;
  }

  /** Uses one statement, so the events of an append are written together or not at all. */
  private async write(batch: readonly WaitingAppend[]): Promise<void> {
    const rows = batch.filter(({ written }) => !written).flatMap((one) => one.rows);
    if (rows.length > 0) await this.db.insertInto('webhook_delivery_journal').values(rows).execute();
    await this.notify(batch.flatMap((one) => one.rows).map(recordedRow));
  }
}
