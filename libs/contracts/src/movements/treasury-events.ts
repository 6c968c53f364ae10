import { event } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { DecimalText } from '../shared';

/** Tokens of the treasury that are set aside for one payment. */
export interface TreasuryReservation {
  readonly transactionId: string;
  /** At the scale of the asset in the API. */
  readonly amount: DecimalText;
}

/**
 * Stream `treasury-<chain>_<token>`: the only place where tokens of the treasury wallet are set aside. Payments that
 * the treasury wallet can make beside all others that are set aside.
 */
export class TreasuryTokensReserved extends event('TreasuryTokensReserved')<{
  chain: Chain;
  asset: AssetId;
  reservations: readonly TreasuryReservation[];
}> {}

/** Payments that are in a block, or that will never be made: the balance of the wallet says the rest. */
export class TreasuryReservationsReleased extends event('TreasuryReservationsReleased')<{
  chain: Chain;
  asset: AssetId;
  transactionIds: readonly string[];
}> {}

export type TreasuryEvent = TreasuryTokensReserved | TreasuryReservationsReleased;
