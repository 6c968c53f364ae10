import type { HoldOwner } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';

/** The field of the owner's request that states the amount: an order gets its amount from its quote. */
const AMOUNT_PATH: Readonly<Record<HoldOwner['kind'], string>> = {
  order: 'quote-id',
  withdrawal: 'amount',
  transfer: 'amount',
};

export const refuseInsufficientBalance = (owner: HoldOwner): never =>
  refuse('insufficient-balance', 'the available balance does not cover the amount', AMOUNT_PATH[owner.kind]);

/** The field of the owner's request that concerns the paying wallet. The owner of a transfer always names it. */
const SOURCE_PATH: Readonly<Record<HoldOwner['kind'], string>> = {
  ...AMOUNT_PATH,
  order: 'source-wallet-address',
};

export const refuseSourceLacks = (owner: HoldOwner): never =>
  refuse(
    'insufficient-balance',
    'other orders, transfers or withdrawals take the tokens of the source wallet: ' +
      'name a wallet that holds enough, or use less',
    SOURCE_PATH[owner.kind],
  );

export const refuseNotPositive = (path: string): never =>
  refuse('amount-below-minimum', 'the amount must be greater than zero', path);

/** Used between services only: the hold to be used is missing, or is not the expected one. */
export const refuseHold = (message: string): never => refuse('hold-not-open', message);

/** Used between services only: the amounts and charges of the exchange do not fit its pair. */
export const refuseExchange = (): never =>
  refuse('asset-pair-not-supported', 'the books have no postings for an exchange of these amounts and charges');
