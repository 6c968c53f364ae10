import type { Kysely } from 'kysely';
import { createJournalTable } from '../journal/journal-table';
import type { WebhooksSchema } from './deliveries.read-model';

/** Makes what is absent. A queue is found by endpoint, and a delivery within its endpoint by the time it is due. */
export async function createDeliveryTables(db: Kysely<WebhooksSchema>): Promise<void> {
  await db.schema
    .createTable('webhook_deliveries')
    .ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('resource_type', 'text')
    .addColumn('resource_id', 'text')
    .addColumn('after_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  for (const added of ['resource_type', 'resource_id'] as const) await addColumn(db, added);
  await db.schema
    .createIndex('webhook_deliveries_listed')
    .ifNotExists()
    .on('webhook_deliveries')
    .columns(['endpoint_id', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_updated')
    .ifNotExists()
    .on('webhook_deliveries')
    .columns(['updated_at'])
    .execute();
  await db.schema
    .createTable('webhook_attempts')
    .ifNotExists()
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('latency_ms', 'integer', (column) => column.notNull())
    .addColumn('response', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_attempts_key', ['delivery_id', 'attempt'])
    .execute();
  await db.schema.createIndex('webhook_attempts_at').ifNotExists().on('webhook_attempts').column('at').execute();
  await db.schema
    .createIndex('webhook_deliveries_due')
    .ifNotExists()
    .on('webhook_deliveries')
    .columns(['endpoint_id', 'due_at'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_after')
    .ifNotExists()
    .on('webhook_deliveries')
    .column('after_id')
    .execute();
  await db.schema
    .createTable('webhook_queues')
    .ifNotExists()
    .addColumn('endpoint_id', 'text', (column) => column.primaryKey())
    .addColumn('next_due', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('webhook_failing_endpoints')
    .ifNotExists()
    .addColumn('endpoint_id', 'text', (column) => column.primaryKey())
    .addColumn('failing_since', 'text', (column) => column.notNull())
    .execute();
  await createJournalTable(db as unknown as Parameters<typeof createJournalTable>[0]);
}

/** To a table that was made before the column was. */
async function addColumn(db: Kysely<WebhooksSchema>, name: 'resource_type' | 'resource_id'): Promise<void> {
  const there = await db
    .selectFrom('webhook_deliveries')
    .select(name)
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
  // Another process that starts may add it first.
  if (!there)
    await db.schema
      .alterTable('webhook_deliveries')
      .addColumn(name, 'text')
      .execute()
      .catch(() => undefined);
}
