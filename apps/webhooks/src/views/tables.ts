import type { Kysely } from 'kysely';
import type { WebhooksSchema } from './deliveries';

/** Makes what is absent. A queue is found by endpoint, and a delivery within its endpoint by the time it is due. */
export async function createDeliveryTables(db: Kysely<WebhooksSchema>): Promise<void> {
  await db.schema.createTable('webhook_deliveries').ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('after_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('webhook_deliveries_due').ifNotExists().on('webhook_deliveries').columns(['endpoint_id', 'due_at']).execute();
  await db.schema.createIndex('webhook_deliveries_after').ifNotExists().on('webhook_deliveries').column('after_id').execute();
  await db.schema.createTable('webhook_queues').ifNotExists()
    .addColumn('endpoint_id', 'text', (column) => column.primaryKey())
    .addColumn('next_due', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createTable('webhook_failing_endpoints').ifNotExists()
    .addColumn('endpoint_id', 'text', (column) => column.primaryKey())
    .addColumn('failing_since', 'text', (column) => column.notNull())
    .execute();
}
