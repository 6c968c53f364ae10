import type { OrderRecord, Page, PageCursor } from '@ponte/contracts';
import type { OrderReadModel } from '../order/orders.read-model';
import { ALL_PROCESSING } from '../order/orders.read-model';

const PAGE = 200;

/** All processing orders of an account, newest first. They are read before any of them is changed. */
export async function processingOrders(
  readModel: Pick<OrderReadModel, 'page'>,
  accountId: string,
): Promise<readonly OrderRecord[]> {
  const found: OrderRecord[] = [];
  let cursor: PageCursor | null = null;
  do {
    const page = { limit: PAGE, cursor, createdFrom: null, createdTo: null };
    const { items, next }: Page<OrderRecord> = await readModel.page(accountId, ALL_PROCESSING, page);
    found.push(...items);
    cursor = next;
  } while (cursor !== null);
  return found;
}
