import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA, READ_MODELS } from '@ponte/nest';
import type { TableOptions } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { withoutPersonal } from '../outgoing-http/response-excerpt.domain';

/** The stored form of an {@link AttemptNote}. It is shown to the owner of the endpoint; no rule depends on it. */
export interface AttemptRow {
  readonly delivery_id: string;
  readonly attempt: number;
  readonly latency_ms: number;
  /** The start of the response, sealed. */
  readonly response: string | null;
  readonly at: string;
}

export const ATTEMPTS_TABLE: TableOptions = {
  table: 'webhook_attempts',
  columns: { delivery_id: 'text', attempt: 'integer', latency_ms: 'integer', response: 'text?', at: 'text' },
  key: ['delivery_id', 'attempt'],
  indices: [['at']],
};

interface Schema {
  readonly webhook_attempts: AttemptRow;
}

/** What is known about an attempt in addition to its event. */
export interface AttemptNote {
  readonly deliveryId: string;
  readonly endpointId: string;
  /** From 1. */
  readonly attempt: number;
  readonly latencyMs: number;
  /** Business time, ISO 8601. */
  readonly at: string;
  /** Personal data of the request in clear text. It is removed from the response before that is stored. */
  readonly personal: readonly string[];
  /** The start of the response. Never rejects. */
  readonly excerpt?: Promise<string>;
}

/** A note whose response has been read. */
type CompleteNote = Omit<AttemptNote, 'excerpt'> & { readonly excerpt: string };

/** The largest number of unwritten notes. Further notes are dropped, because no rule depends on them. */
const MAX_WAITING = 20_000;
/** Rows per statement. */
const ROWS = 500;

/**
 * Latencies and responses of attempts, for the owner of an endpoint. They are written in batches, separately from the
 * deliveries, and a crash loses the notes that were not written yet. The attempt, its status and its time are safe:
 * they are events of the journal or of the log.
 */
@Injectable()
export class AttemptNotes {
  private waiting: CompleteNote[] = [];
  /** The notes whose responses are still being read. */
  private readonly reading = new Set<Promise<void>>();
  private readonly db: Kysely<Schema>;

  constructor(
    @Inject(READ_MODELS) readModels: Kysely<unknown>,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'seal'>,
  ) {
    this.db = readModels as Kysely<Schema>;
  }

  /** A note waits until its response has been read, so that a slow receiver delays only its own notes. */
  add({ excerpt, ...note }: AttemptNote): void {
    if (this.waiting.length + this.reading.size >= MAX_WAITING) return;
    if (!excerpt) {
      this.waiting.push({ ...note, excerpt: '' });
      return;
    }
    const reading: Promise<void> = excerpt.then((text) => {
      this.reading.delete(reading);
      this.waiting.push({ ...note, excerpt: text });
    });
    this.reading.add(reading);
  }

  /** Writes all notes, also those whose responses are still being read. Call it when no more requests are made. */
  async end(): Promise<void> {
    await Promise.all(this.reading);
    await this.flush();
  }

  /** Writes all waiting notes. Rejects when the database cannot be written; these notes are then lost. */
  async flush(): Promise<void> {
    // Responses that have been read are waiting notes after one turn.
    await Promise.resolve();
    const notes = this.waiting;
    this.waiting = [];
    for (let at = 0; at < notes.length; at += ROWS) await this.write(notes.slice(at, at + ROWS));
  }

  /** Deletes the notes that are older than a time (ISO 8601), in batches. */
  async deleteBefore(time: string, signal?: AbortSignal): Promise<void> {
    for (let isEnd = false; !isEnd && !signal?.aborted;) {
      const old = await this.db
        .selectFrom('webhook_attempts')
        .select('delivery_id')
        .where('at', '<', time)
        .orderBy('at')
        .limit(ROWS)
        .execute();
      const ids = [...new Set(old.map(({ delivery_id }) => delivery_id))];
      if (ids.length > 0)
        await this.db.deleteFrom('webhook_attempts').where('delivery_id', 'in', ids).where('at', '<', time).execute();
      isEnd = old.length < ROWS;
      // The embedded database does not yield to the event loop.
      await nextTurn();
    }
  }

  async of(deliveryIds: readonly string[]): Promise<readonly AttemptRow[]> {
    if (deliveryIds.length === 0) return [];
    const found = this.db.selectFrom('webhook_attempts').selectAll().where('delivery_id', 'in', deliveryIds);
    // PostgreSQL's driver gives a bigint as text.
    return (await found.execute()).map((row) => ({
      ...row,
      attempt: Number(row.attempt),
      latency_ms: Number(row.latency_ms),
    }));
  }

  private async write(notes: readonly CompleteNote[]): Promise<void> {
    const rows = await Promise.all(notes.map((note) => this.row(note)));
    const unique = [...new Map(rows.map((row) => [`${row.delivery_id}/${row.attempt}`, row])).values()];
    await this.db
      .insertInto('webhook_attempts')
      .values(unique)
      .onConflict((conflict) =>
        conflict.columns(['delivery_id', 'attempt']).doUpdateSet((row) => ({
          latency_ms: row.ref('excluded.latency_ms'),
          response: row.ref('excluded.response'),
          at: row.ref('excluded.at'),
        })),
      )
      .execute();
  }

  private async row(note: CompleteNote): Promise<AttemptRow> {
    const text = withoutPersonal(note.excerpt, note.personal);
    return {
      delivery_id: note.deliveryId,
      attempt: note.attempt,
      latency_ms: note.latencyMs,
      response: text === '' ? null : await this.personalData.seal(note.endpointId, text),
      at: note.at,
    };
  }
}
