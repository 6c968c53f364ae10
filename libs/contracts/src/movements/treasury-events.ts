import { event } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { DecimalText } from '../shared';

/** Treasury tokens that are reserved for one payment. */
export interface TreasuryReservation {
  readonly transactionId: string;
  /** Decimal string with the decimal places that the API uses for the asset. */
  readonly amount: DecimalText;
}

/**
 * Stream `treasury-<chain>_<token>`: the only place where tokens of the treasury wallet are reserved. Tokens were
 * reserved for payments that its balance covers in addition to all earlier reservations, or that repeat a payment
 * undone by a reorg.
 */
export class TreasuryTokensReserved extends event('TreasuryTokensReserved')<{
  chain: Chain;
  asset: AssetId;
  reservations: readonly TreasuryReservation[];
}> {}

/**
 * Reservations were released: the payments are in a block, so the balance of the wallet reflects them, or they will
 * never be made.
 */
export class TreasuryReservationsReleased extends event('TreasuryReservationsReleased')<{
  chain: Chain;
  asset: AssetId;
  transactionIds: readonly string[];
}> {}

export type TreasuryEvent = TreasuryTokensReserved | TreasuryReservationsReleased;
