import type { EventToAppend, Recorded } from '@ponte/event-sourcing';
import { streamName } from '@ponte/event-sourcing';
import type { TableOptions } from '@ponte/read-models';

/** One event of a delivery that did not succeed at once. */
export interface JournalRow {
  readonly delivery_id: string;
  /** Position of the event in its delivery's stream, from 0. */
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

/** The table of the journal, for Kysely. */
export interface JournalSchema {
  readonly webhook_delivery_journal: JournalRow;
}

export const JOURNAL_TABLE: TableOptions = {
  table: 'webhook_delivery_journal',
  columns: {
    delivery_id: 'text',
    revision: 'integer',
    id: 'text',
    type: 'text',
    version: 'integer',
    data: 'text',
    meta: 'text',
    at: 'text',
  },
  key: ['delivery_id', 'revision'],
  indices: [['at']],
};

/** The row of an event that is kept here instead of in the log. */
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

/** A row as a recorded event. Its position is empty, because it is not in the log. */
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
