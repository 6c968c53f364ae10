import { refuse } from '@ponte/kernel';
import type { OrderTerms } from './order.state';

/** An order is read by its account and by the account's parent. */
export const mayRead = (order: OrderTerms, callerAccountId: string): boolean =>
  order.accountId === callerAccountId || order.parentId === callerAccountId;

/** Rule of the quote: accepted once. The message names the order if the caller may read it. */
export function refuseAccepted(order: OrderTerms, callerAccountId: string): never {
  refuse(
    'quote-already-accepted',
    'the quote was accepted before',
    'quote-id',
    mayRead(order, callerAccountId) ? { 'order-id': order.orderId } : {},
  );
}

export const QUOTE_EXPIRED = {
  code: 'quote-expired',
  path: 'quote-id',
  message: 'the quote is no longer valid',
} as const;

/**
 * The acceptance's hold or charge was given up while it was on its way; it has to take another. Never leaves the
 * service.
 */
export class FundingAbandoned extends Error {
  override readonly name = 'FundingAbandoned';
  constructor(readonly fundingId: string) {
    super('what was taken to pay for the order has been given up');
  }
}
