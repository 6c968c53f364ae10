import { fundingIdOf } from '../domain/order/ids';
import type { Order } from '../domain/order/order';
import { placed } from '../domain/order/order';
import { recordOf } from '../domain/order/record';
import type { OrderRow } from '../ports/order-read-model';

/** The row of an order at a revision of its stream; undefined while none was placed. */
export function rowOf(state: Order, revision: number): OrderRow | undefined {
  const existing = placed(state);
  if (!existing) return undefined;
  const { funding } = existing.terms;
  return { revision, txid: funding.kind === 'brcode' ? fundingIdOf(funding) : null, record: recordOf(existing) };
}
