import type { HoldOwner } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';

/** The member of the owner's request that asks for the money: an order has no amount of its own, its quote has. */
const AMOUNT_PATH: Readonly<Record<HoldOwner['kind'], string>> = {
  order: 'quote-id',
  withdrawal: 'amount',
  transfer: 'amount',
};

export const refuseInsufficientBalance = (owner: HoldOwner): never =>
  refuse('insufficient-balance', 'the available balance does not cover the amount', AMOUNT_PATH[owner.kind]);

export const refuseNotPositive = (path: string): never =>
  refuse('amount-below-minimum', 'an amount is more than zero', path);

/** Between services alone: a hold that is to be used is not there, or is another one than its user believes. */
export const refuseHold = (message: string): never => refuse('hold-not-open', message);

/** Between services only: the amounts and charges of the exchange do not fit its pair. */
export const refuseExchange = (): never =>
  refuse('asset-pair-not-supported', 'the books have no postings for an exchange of these amounts and charges');
