import type { Funding, HoldSource } from '@ponte/contracts';
import { childId, derivedId, txidOf } from '@ponte/kernel';
import type { RequestContext } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';

/** The id of a quote's only order, whichever caller accepts the quote. */
export const orderIdOf = (quoteId: string): string => childId(quoteId, 'order');

/**
 * The id of an order's only settlement on a chain. The label is `mint` because mints came first; changing it would mint
 * the orders of that time again.
 */
export const settlementIdOf = (orderId: string): string => childId(orderId, 'mint');

/** The source of an order's held tokens: its settlement takes them from the wallet. */
export const sourceOf = (orderId: string, walletId: string): HoldSource => ({
  walletId,
  movementId: settlementIdOf(orderId),
});

/** The withdrawal that pays an order out to a Pix key, and the hold on the credited BRL that the withdrawal owns. */
export const payoutIdOf = (orderId: string): string => childId(orderId, 'payout');
export const deliveryHoldIdOf = (orderId: string): string => childId(orderId, 'delivery-hold');

/** The id of an order's funding as used in its stream: the hold's id or the charge's txid. */
export const fundingIdOf = (funding: Funding): string => {
  switch (funding.kind) {
    case 'account-balance':
      return funding.holdId;
    case 'brcode':
      return funding.txid;
  }
};

/**
 * The id under which an acceptance reserves its funding: the same at every retry, and a new one once that id was
 * abandoned. `abandoned` grows by at most one for each sweep of this acceptance, so the search is short.
 */
export function newFundingId(
  kind: Funding['kind'],
  orderId: string,
  commandId: string,
  abandoned: ReadonlySet<string>,
): string {
  for (let attempt = 0; ; attempt += 1) {
    const parts = attempt === 0 ? [orderId, commandId] : [orderId, commandId, String(attempt)];
    const id = kind === 'brcode' ? txidOf(derivedId('charge', ...parts)) : derivedId('hold', ...parts);
    if (!abandoned.has(id)) return id;
  }
}

/** The context of one step of an order; see {@link stepContext}. */
export const step = (context: RequestContext, ...what: readonly string[]): RequestContext =>
  stepContext(context, 'orders', ...what);

/** The context of a step that has to run even if the caller no longer waits. */
export const withoutDeadline = (context: RequestContext, ...what: readonly string[]): RequestContext => ({
  ...step(context, ...what),
  deadline: undefined,
});
