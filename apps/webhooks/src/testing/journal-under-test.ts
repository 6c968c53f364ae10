import type { Kysely } from 'kysely';
import type { EventStore } from '@ponte/event-sourcing';
import { idOf } from '@ponte/event-sourcing';
import type { DeliveryRow } from '../deliveries/deliveries.read-model';
import { DeliveryReadModel } from '../deliveries/deliveries.read-model';
import type { JournalRow } from '../journal/journal.read-model';
import { JournaledStore } from '../journal/journaled-store.service';
import { RowSettler } from '../journal/row-settler.service';
import { SettleJournal } from '../journal/settle-journal.job';
import type { WebhooksSchema } from './webhooks-schema';

/** A journal event of a delivery, without content. */
export const journaled = (deliveryId: string, revision: number, at: string): JournalRow => ({
  delivery_id: deliveryId,
  revision,
  id: `${deliveryId}-${revision}`,
  type: 'DeliveryStarted',
  version: 1,
  data: '{}',
  meta: '{}',
  at,
});

/** The row of a failed delivery. */
export const failedRow = (id: string, revision: number, at: string): DeliveryRow => ({
  id,
  revision,
  account_id: 'a',
  endpoint_id: 'e',
  event_id: id,
  event_type: 'order-completed' as DeliveryRow['event_type'],
  resource_type: null,
  resource_id: null,
  after_id: null,
  state: 'failed',
  attempts: 1,
  due_at: null,
  created_at: at,
  updated_at: at,
});

/** The job that rewrites rows, over a journal whose rows only have the right ids and revisions. */
export class JournalUnderTest {
  /** The deliveries whose rows were rewritten, in order. */
  readonly shown: string[] = [];
  readonly job: SettleJournal;
  readonly settler: RowSettler;
  /** Called before the rows of these deliveries are written. */
  beforeShowing: (deliveryIds: readonly string[]) => void = () => undefined;

  constructor(readModels: Kysely<unknown>, now: () => number) {
    const store = new JournaledStore({ soleWriter: true } as EventStore, readModels);
    const rows = new DeliveryReadModel(readModels);
    store.listen(
      async () => undefined,
      async (events) => {
        const ids = events.map(({ stream }) => idOf(stream));
        this.beforeShowing(ids);
        await rows.put(
          events.map(({ revision }, at) => failedRow(ids[at] as string, revision, new Date(now()).toISOString())),
        );
        this.shown.push(...ids);
      },
    );
    this.settler = new RowSettler(store, readModels);
    this.job = new SettleJournal(this.settler, { now });
  }
}

/** Adds rows in statements that both databases accept. */
export async function insertAll<Table extends keyof WebhooksSchema & string>(
  db: Kysely<WebhooksSchema>,
  table: Table,
  rows: readonly WebhooksSchema[Table][],
): Promise<void> {
  for (let at = 0; at < rows.length; at += 500)
    await db
      .insertInto(table)
      .values(rows.slice(at, at + 500) as never)
      .execute();
}
