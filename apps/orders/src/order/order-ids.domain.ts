import type { Funding } from '@ponte/contracts';
import { childId, derivedId, txidOf } from '@ponte/kernel';

/** A quote has one order, however many callers accept it. */
export const orderIdOf = (quoteId: string): string => childId(quoteId, 'order');

/**
 * An order has one settlement on a chain. The label is that of mints, which were the first: an order of that time must
 * not be minted twice.
 */
export const settlementIdOf = (orderId: string): string => childId(orderId, 'mint');

/** The withdrawal that pays an order out to a Pix key, and the hold of the credit that it owns. */
export const payoutIdOf = (orderId: string): string => childId(orderId, 'payout');
export const deliveryHoldIdOf = (orderId: string): string => childId(orderId, 'delivery-hold');

/** What an acceptance takes to pay with, as it is called in the order's stream: the hold's id or the charge's txid. */
export const fundingIdOf = (funding: Funding): string => {
  switch (funding.kind) {
    case 'account-balance':
      return funding.holdId;
    case 'brcode':
      return funding.txid;
  }
};

/**
 * The id under which an acceptance takes its funding: the same at every retry, another once that one was abandoned.
 * `abandoned` grows by at most one for each sweep of this acceptance, so the search is short.
 */
export function newFundingId(
  kind: Funding['kind'],
  orderId: string,
  commandId: string,
  abandoned: ReadonlySet<string>,
): string {
  for (let take = 0; ; take += 1) {
    const parts = take === 0 ? [orderId, commandId] : [orderId, commandId, String(take)];
    const id = kind === 'brcode' ? txidOf(derivedId('charge', ...parts)) : derivedId('hold', ...parts);
    if (!abandoned.has(id)) return id;
  }
}
