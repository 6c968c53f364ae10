import type { Refusal } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import type { OrderTerms } from './order.state';

/** An order may be read by its account and by that account's parent. */
export const mayRead = (order: OrderTerms, callerAccountId: string): boolean =>
  order.accountId === callerAccountId || order.parentId === callerAccountId;

/** Refuses, as a quote is accepted only once. The violation has the order's id if the caller may read it. */
export function refuseAccepted(order: OrderTerms, callerAccountId: string): never {
  refuse(
    'quote-already-accepted',
    'the quote has already been accepted',
    'quote-id',
    mayRead(order, callerAccountId) ? { 'order-id': order.orderId } : {},
  );
}

export const QUOTE_EXPIRED = {
  code: 'quote-expired',
  path: 'quote-id',
  message: 'the quote has expired',
} as const;

/**
 * Another order or transfer has taken the tokens of the wallet since it was checked, so the ledger refused the hold.
 * This error never leaves the service.
 */
export class SourceTaken extends Error {
  override readonly name = 'SourceTaken';
  constructor(readonly refusal: Refusal) {
    super('the tokens of the source wallet were taken by another movement');
  }
}

/**
 * The acceptance's hold or charge was abandoned while the acceptance was in progress, so it has to reserve another.
 * This error never leaves the service.
 */
export class FundingAbandoned extends Error {
  override readonly name = 'FundingAbandoned';
  constructor(readonly fundingId: string) {
    super('the hold or charge that was reserved for the order has been abandoned');
  }
}
