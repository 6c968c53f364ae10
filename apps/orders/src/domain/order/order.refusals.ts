import { refuse } from '@ponte/kernel';
import type { OrderTerms } from './order';

/** Rule of the quote: accepted once. The order is named to whoever may read it: its account and the account's parent. */
export function refuseAccepted(order: OrderTerms, callerAccountId: string): never {
  const mayRead = order.accountId === callerAccountId || order.parentId === callerAccountId;
  refuse('quote-already-accepted', 'the quote was accepted before', 'quote-id', mayRead ? { 'order-id': order.orderId } : {});
}

export const QUOTE_EXPIRED = { code: 'quote-expired', path: 'quote-id', message: 'the quote is no longer valid' } as const;

/** The acceptance's hold or charge was given up while it was on its way; it has to take another. Never leaves the service. */
export class FundingAbandoned extends Error {
  override readonly name = 'FundingAbandoned';
  constructor(readonly fundingId: string) {
    super('what was taken to pay for the order has been given up');
  }
}
