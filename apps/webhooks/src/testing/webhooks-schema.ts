import type { AttemptRow } from '../deliveries/attempt-notes.read-model';
import type { DeliveriesSchema } from '../deliveries/deliveries.read-model';
import type { JournalRow } from '../journal/journal.read-model';

/** The tables of the read database. */
export interface WebhooksSchema extends DeliveriesSchema {
  readonly webhook_delivery_journal: JournalRow;
  readonly webhook_attempts: AttemptRow;
  readonly webhook_queues: { readonly endpoint_id: string; readonly next_due: string };
  readonly webhook_failing_endpoints: {
    readonly endpoint_id: string;
    readonly failing_since: string;
    readonly last_failed_at: string | null;
  };
}
