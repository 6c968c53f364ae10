import type { AssetId } from '@ponte/kernel';
import type { DecimalText } from '../shared';

/**
 * One line of an entry in the books. `account` is `customer:<accountId>` or `house:<name>`; `amount` is signed. The
 * postings of an event sum to zero per asset, so the trial balance of every prefix of the log is zero.
 */
export interface Posting {
  readonly account: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
}

/**
 * settlement: BRL at our bank; reserve: BRL that backs issued tokens; issuance: minted tokens; external: tokens outside
 * our custody; treasury: USDC and USDT that Ponte trades with; fx-position: BRL against the treasury; tax: IOF payable;
 * loss: the shortfall (or surplus) of our wallets against the books after a reorg, and BRL that left our bank without
 * being owed; owed: what a reorg took back from owners outside our custody; suspense: money at our bank, or tokens in
 * our wallets, that is in no balance; unclaimed: what was left of closed accounts.
 */
export type HouseAccount =
  | 'settlement'
  | 'reserve'
  | 'issuance'
  | 'external'
  | 'treasury'
  | 'fx-position'
  | 'fees'
  | 'spread'
  | 'tax'
  | 'rounding'
  | 'suspense'
  | 'unclaimed'
  | 'clearing'
  | 'loss'
  | 'owed';
