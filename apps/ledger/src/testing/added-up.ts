import type { FxDay } from '../reports/fx-day.domain';

/** Adds up two parts of the same day and asset. */
export const addedUp = (one: FxDay, other: FxDay): FxDay => ({
  day: one.day,
  asset: one.asset,
  trades: one.trades + other.trades,
  tokensSold: one.tokensSold + other.tokensSold,
  brlReceived: one.brlReceived + other.brlReceived,
  tokensBought: one.tokensBought + other.tokensBought,
  brlPaid: one.brlPaid + other.brlPaid,
  spread: one.spread + other.spread,
  fees: one.fees + other.fees,
  iof: one.iof + other.iof,
});
