import { createTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { QUEUES_TABLE } from '../dispatch/delivery-queues.read-model';
import { JOURNAL_TABLE } from '../journal/journal.read-model';
import { ATTEMPTS_TABLE } from './attempt-notes.read-model';
import { deliveriesTable } from './deliveries.read-model';
import { FAILING_TABLE } from '../failing-endpoints/failing-endpoints.read-model';

/** Creates the tables of this service if they do not exist. */
export async function createDeliveryTables(db: Kysely<unknown>): Promise<void> {
  await deliveriesTable(db).prepare();
  for (const table of [QUEUES_TABLE, ATTEMPTS_TABLE, FAILING_TABLE, JOURNAL_TABLE]) await createTable(db, table);
}
