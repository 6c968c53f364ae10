import { requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText } from '../shared';

const { query } = requestsOf('ledger');

/**
 * What the treasury traded in one token on one day (YYYY-MM-DD in São Paulo). BRL amounts that depend on a position may
 * be negative.
 */
export interface FxDayRecord {
  readonly day: string;
  readonly asset: AssetId;
  readonly trades: number;
  readonly tokensSold: DecimalText;
  /** At market value, without charges. */
  readonly brlReceived: DecimalText;
  readonly tokensBought: DecimalText;
  readonly brlPaid: DecimalText;
  readonly spread: DecimalText;
  readonly fees: DecimalText;
  readonly iof: DecimalText;
  /** At the end of the day, since the first trade. */
  readonly tokenPosition: DecimalText;
  readonly brlPosition: DecimalText;
  /** BRL for one token: the average market rate of the day's trades. */
  readonly rate: DecimalText;
  /** Spread and fees, plus the change in value of the position at that rate. */
  readonly profit: DecimalText;
}

export interface IofPeriodRecord {
  /** YYYY-MM-DD or YYYY-MM. */
  readonly period: string;
  readonly trades: number;
  readonly amount: DecimalText;
}

/** Days in São Paulo, both inclusive. */
interface Period {
  readonly from: string;
  readonly to: string;
}

/** FX position and profit per day and token, oldest first. Days without a trade have no row. */
export const GetFxDays = query<Period, { days: readonly FxDayRecord[] }>('get-fx-days');
/** IOF that was charged to customers and is payable to the state, by period, oldest first. */
export const GetIofPayable = query<Period & { readonly by: 'day' | 'month' }, { periods: readonly IofPeriodRecord[] }>(
  'get-iof-payable',
);
