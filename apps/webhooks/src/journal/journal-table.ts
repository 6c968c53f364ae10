import type { EventToAppend, Recorded } from '@ponte/event-sourcing';
import { streamName } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';

/** One event of a delivery that did not succeed at once. */
export interface JournalRow {
  readonly delivery_id: string;
  /** Of the event in its delivery, from 0. */
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  /** JSON. */
  readonly data: string;
  /** JSON. */
  readonly meta: string;
  /** Business time, ISO 8601. */
  readonly at: string;
}

/** Makes the table where it is absent. */
export async function createJournalTable(db: Kysely<{ webhook_delivery_journal: JournalRow }>): Promise<void> {
  await db.schema
    .createTable('webhook_delivery_journal')
    .ifNotExists()
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('meta', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_delivery_journal_key', ['delivery_id', 'revision'])
    .execute();
  await db.schema
    .createIndex('webhook_delivery_journal_at')
    .ifNotExists()
    .on('webhook_delivery_journal')
    .column('at')
    .execute();
}

export const journalRow = (deliveryId: string, revision: number, event: EventToAppend): JournalRow => ({
  delivery_id: deliveryId,
  revision,
  id: event.id,
  type: event.type,
  version: event.version,
  data: JSON.stringify(event.data),
  meta: JSON.stringify(event.meta),
  at: event.meta.occurredAt,
});

/** As a store gives an event back. Its position is empty: it is in no log. */
export const recordedRow = (row: JournalRow): Recorded => ({
  id: row.id,
  stream: streamName('delivery', row.delivery_id),
  revision: Number(row.revision),
  position: '',
  type: row.type,
  version: Number(row.version),
  data: JSON.parse(row.data) as object,
  meta: JSON.parse(row.meta) as Recorded['meta'],
});
