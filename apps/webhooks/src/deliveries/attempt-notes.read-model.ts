import { Inject, Injectable } from '@nestjs/common';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA, VIEWS } from '@ponte/nest';
import type { TableOptions } from '@ponte/read-models';
import type { Kysely } from 'kysely';

/**
 * What is known of an attempt beyond its event. Kept for the owner of the endpoint to look at; nothing is decided by
 * it.
 */
export interface AttemptRow {
  readonly delivery_id: string;
  readonly attempt: number;
  readonly latency_ms: number;
  /** Sealed. */
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

/** What is known of an attempt beyond its event. */
export interface AttemptNote {
  readonly deliveryId: string;
  readonly endpointId: string;
  /** From 1. */
  readonly attempt: number;
  readonly latencyMs: number;
  /** Business time, ISO 8601. */
  readonly at: string;
  /** Clear texts that the request carried and that no record may hold. */
  readonly personal: readonly string[];
  readonly excerpt?: Promise<string>;
}

/** Notes that wait to be written; what is more is dropped, since nothing is decided by it. */
const MOST_WAITING = 20_000;
/** Rows of one statement. */
const ROWS = 500;
/** In place of a personal text that a receiver sent back. */
const REMOVED = '[removed]';

/**
 * Latencies and responses of attempts, for the owner of an endpoint to look at. They are written beside the
 * deliveries, many at a time, and
 * a crash loses the last moment of them: the attempt itself, its status and its time are events of the journal or of
 * the log.
 */
@Injectable()
export class AttemptNotes {
  private waiting: AttemptNote[] = [];
  private readonly db: Kysely<Schema>;

  constructor(
    @Inject(VIEWS) views: Kysely<unknown>,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'seal'>,
  ) {
    this.db = views as Kysely<Schema>;
  }

  add(note: AttemptNote): void {
    if (this.waiting.length < MOST_WAITING) this.waiting.push(note);
  }

  /** Writes what waits. Rejects when the database cannot be written; what was to be written then is lost. */
  async flush(): Promise<void> {
    const notes = this.waiting;
    this.waiting = [];
    for (let at = 0; at < notes.length; at += ROWS) await this.write(notes.slice(at, at + ROWS));
  }

  /** Deletes what is older than a time (ISO 8601). */
  async deleteBefore(time: string): Promise<void> {
    await this.db.deleteFrom('webhook_attempts').where('at', '<', time).execute();
  }

  /** The notes of these deliveries. */
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

  private async write(notes: readonly AttemptNote[]): Promise<void> {
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

  private async row(note: AttemptNote): Promise<AttemptRow> {
    const text = withoutPersonal((await note.excerpt) ?? '', note.personal);
    return {
      delivery_id: note.deliveryId,
      attempt: note.attempt,
      latency_ms: note.latencyMs,
      response: text === '' ? null : await this.personalData.seal(note.endpointId, text),
      at: note.at,
    };
  }
}

/** A response without the personal texts of its request. PostgreSQL keeps no NUL. */
export function withoutPersonal(text: string, personal: readonly string[]): string {
  const clean = text.replaceAll('\0', '');
  return personal.filter((one) => one !== '').reduce((rest, one) => rest.replaceAll(one, REMOVED), clean);
}
