import type { DeliveryFact } from '@ponte/contracts';
import type { Appended, EventStore, EventToAppend, ReadOptions, Recorded } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, idOf, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';
import type { WebhooksSchema } from '../views/deliveries';
import { closingEvents, healing } from './closing';
import { journalRow, recordedRow } from './journal-table';

interface Waiting {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly EventToAppend[];
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

type Tell = (events: readonly Recorded[]) => Promise<void>;

/** Appends that are written together. */
const BATCH = 64;
/** Events of one statement. */
const ROWS = 200;
const DELIVERED_AT_ONCE = 'DeliveredAtOnce';

/**
 * The store of the streams `delivery-…`. What succeeds at once is in the log. Everything else is in the journal, a
 * table of the read database, until it succeeds: then the log has it too, and first.
 */
export class JournaledStore implements EventStore {
  readonly soleWriter: boolean;
  private waiting: Waiting[] = [];
  private writing = false;
  private tell: Tell = async () => undefined;
  private show: Tell = async () => undefined;

  constructor(
    private readonly log: EventStore,
    private readonly db: Kysely<WebhooksSchema>,
  ) {
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
    return new Promise((resolve, reject) => {
      this.waiting.push({ stream, expected, events, resolve, reject });
      if (!this.writing) void this.writeAll();
    });
  }

  async read(stream: string, { from = 0, limit }: ReadOptions = {}): Promise<Recorded[]> {
    const own = (await this.journaled([idOf(stream)])).get(idOf(stream)) ?? [];
    if (own.length === 0) return this.log.read(stream, { from, limit });
    const all = await this.whole(stream, own);
    return all.slice(from, limit === undefined ? undefined : from + limit);
  }

  subscribe(...filter: Parameters<EventStore['subscribe']>): ReturnType<EventStore['subscribe']> {
    return this.log.subscribe(...filter);
  }
  newest(...options: Parameters<EventStore['newest']>): ReturnType<EventStore['newest']> {
    return this.log.newest(...options);
  }
  head(): ReturnType<EventStore['head']> {
    return this.log.head();
  }
  comparePositions(a: string, b: string): number {
    return this.log.comparePositions(a, b);
  }
  close(): Promise<void> {
    return this.log.close();
  }

  /** Writes again the rows of deliveries that are behind the journal, after a crash or a rebuild of the views. */
  async settle(): Promise<void> {
    for (;;) {
      const behind = await this.db
        .selectFrom('webhook_delivery_journal as j')
        .leftJoin('webhook_deliveries as d', 'd.id', 'j.delivery_id')
        .select('j.delivery_id')
        .distinct()
        .where(({ eb, or }) => or([eb('d.revision', 'is', null), eb('d.revision', '<', eb.ref('j.revision'))]))
        .limit(BATCH)
        .execute();
      if (behind.length === 0) return;
      const known = await this.journaled(behind.map((row) => row.delivery_id));
      await this.show([...known.values()].flat());
    }
  }

  /** Deletes what is about deliveries that no row shows any more and is older than a time (ISO 8601). */
  async deleteBefore(time: string): Promise<void> {
    await this.db
      .deleteFrom('webhook_delivery_journal')
      .where('at', '<', time)
      .where('delivery_id', 'not in', (rows) => rows.selectFrom('webhook_deliveries').select('id'))
      .execute();
  }

  /** A crash between the two records of a success leaves the journal behind the log: it is completed here. */
  private async whole(stream: string, own: Recorded[]): Promise<Recorded[]> {
    if (own.at(-1)?.type === 'DeliverySucceeded') return own;
    const inLog = await this.log.read(stream, { limit: 3 });
    const { type, data } = own.at(-1) as Recorded<DeliveryFact>;
    if (inLog.length > 0 && type === 'DeliveryAttemptFailed' && data.nextAt === null) return inLog;
    const missing = healing(own, inLog);
    if (missing.length === 0) return own;
    const rows = missing.map((event, at) => journalRow(idOf(stream), own.length + at, event));
    await this.db
      .insertInto('webhook_delivery_journal')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['delivery_id', 'revision']).doNothing())
      .execute();
    const healed = (await this.journaled([idOf(stream)])).get(idOf(stream)) ?? own;
    return healed;
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

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      await this.write(batch).catch((error: unknown) => {
        for (const one of batch) one.reject(new AppendOutcomeUnknown(one.stream, { cause: error }));
      });
    }
    this.writing = false;
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    const known = await this.journaled(batch.map(({ stream }) => idOf(stream)));
    const taken: { readonly one: Waiting; readonly fresh: boolean }[] = [];
    await Promise.all(
      batch.map(async (one) => {
        const fresh = await this.take(one, known.get(idOf(one.stream)) ?? []);
        if (fresh !== undefined) taken.push({ one, fresh });
      }),
    );
    const rows = taken
      .filter(({ fresh }) => fresh)
      .flatMap(({ one }) => one.events.map((event, at) => journalRow(idOf(one.stream), one.expected + 1 + at, event)));
    for (let at = 0; at < rows.length; at += ROWS) {
      await this.db
        .insertInto('webhook_delivery_journal')
        .values(rows.slice(at, at + ROWS))
        .execute();
    }
    if (taken.length > 0) {
      await this.tell(
        taken.flatMap(({ one }) =>
          one.events.map((event, at) => recordedRow(journalRow(idOf(one.stream), one.expected + 1 + at, event))),
        ),
      );
    }
    for (const { one } of taken) one.resolve({ revision: one.expected + one.events.length, position: '' });
  }

  /** Answers whether rows are to be written; undefined when the append was settled otherwise. */
  private async take(one: Waiting, own: readonly Recorded[]): Promise<boolean | undefined> {
    const { stream, expected, events, resolve, reject } = one;
    try {
      if (own.length === 0 && expected !== NO_STREAM) {
        resolve(await this.log.append(stream, expected, events));
        return undefined;
      }
      const there = own.slice(expected + 1);
      if (there.length > 0 && events.every(({ id }, at) => there[at]?.id === id)) return false;
      if (own.length - 1 !== expected) throw new WrongExpectedRevision(stream, expected, own.length - 1);
      const closing = closingEvents(own, events);
      if (closing.length > 0) await this.log.append(stream, NO_STREAM, closing);
      else if ((await this.log.read(stream, { limit: 1 })).length > 0)
        throw new WrongExpectedRevision(stream, expected, expected + 1);
      return true;
    } catch (error) {
      reject(error);
      return undefined;
    }
  }
}
