import { Inject, Injectable } from '@nestjs/common';
import type { Appended, EventToAppend, ReadOptions, Recorded, StreamStore } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, idOf, KeyedMutex, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { EVENT_STORE, VIEWS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import type { DeliveriesSchema } from '../deliveries/deliveries.read-model';
import { closingEvents, missingEvents } from './closing';
import type { JournalRow } from './journal.read-model';
import { journalRow, recordedRow } from './journal.read-model';

/** Events of one append, on their way into the journal. */
interface Waiting {
  readonly stream: string;
  /** Of which only the telling is left to do when they are in the journal already. */
  readonly rows: readonly JournalRow[];
  readonly written: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Schema extends DeliveriesSchema {
  readonly webhook_delivery_journal: JournalRow;
}

type Tell = (events: readonly Recorded[]) => Promise<void>;

/** Appends that are written together. */
const BATCH = 64;
/** Events of a stream that the log was given when its delivery succeeded. */
const CLOSING = 3;
const DELIVERED_AT_ONCE = 'DeliveredAtOnce';

/**
 * The store of the streams `delivery-…`. What succeeds at once is in the log. Everything else is in the journal, a
 * table of the read database, until it succeeds: then the log has it too, and first.
 */
@Injectable()
export class JournaledStore implements StreamStore {
  readonly soleWriter: boolean;
  private readonly db: Kysely<Schema>;
  private readonly waiting: Waiting[] = [];
  private writing = false;
  /** One append to a stream at a time. What one waits for in the log holds up no other stream. */
  private readonly mutex = new KeyedMutex();
  private tell: Tell = async () => undefined;
  private show: Tell = async () => undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly log: StreamStore,
    @Inject(VIEWS) views: Kysely<unknown>,
  ) {
    this.db = views as Kysely<Schema>;
    this.soleWriter = log.soleWriter;
  }

  /** `tell` takes in what was journaled; an append has not ended before that. `show` only writes rows. */
  tells(tell: Tell, show: Tell): void {
    this.tell = tell;
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
   * Writes again the rows of deliveries that are behind the journal, after a crash or a rebuild of the views. With
   * `since` (ISO 8601), of those alone that have an event of that time or later.
   */
  async settle(since = ''): Promise<void> {
    for (let reached = ''; ;) {
      const behind = await this.db
        .selectFrom('webhook_delivery_journal as j')
        .leftJoin('webhook_deliveries as d', 'd.id', 'j.delivery_id')
        .select('j.delivery_id')
        .distinct()
        .where('j.at', '>=', since)
        .where('j.delivery_id', '>', reached)
        .where(({ eb, or }) => or([eb('d.revision', 'is', null), eb('d.revision', '<', eb.ref('j.revision'))]))
        .orderBy('j.delivery_id')
        .limit(BATCH)
        .execute();
      if (behind.length === 0) return;
      const ids = behind.map((row) => row.delivery_id);
      await this.show([...(await this.journaled(ids)).values()].flat());
      reached = ids.at(-1) ?? reached;
    }
  }

  /** Deletes what is about deliveries that no row shows any more and is older than a time (ISO 8601). */
  async deleteBefore(time: string): Promise<void> {
    await this.db
      .deleteFrom('webhook_delivery_journal')
      .where('at', '<', time)
      .where('delivery_id', 'not in', (rows) => rows.selectFrom('webhook_deliveries').select('id'))
      // While the rows are exchanged after a rebuild, a delivery with a younger event stays whole.
      .where('delivery_id', 'not in', (younger) =>
        younger.selectFrom('webhook_delivery_journal').select('delivery_id').where('at', '>=', time),
      )
      .execute();
  }

  /** A crash between the two records of a success leaves the journal behind the log: it is completed here. */
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
    // Began in the log, before there was a journal.
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

  /** One statement: the events of an append are written together or not at all. */
  private async write(batch: readonly Waiting[]): Promise<void> {
    const rows = batch.filter(({ written }) => !written).flatMap((one) => one.rows);
    if (rows.length > 0) await this.db.insertInto('webhook_delivery_journal').values(rows).execute();
    await this.tell(batch.flatMap((one) => one.rows).map(recordedRow));
  }
}
