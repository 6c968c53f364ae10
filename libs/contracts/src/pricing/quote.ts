import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';
import type { QuoteState } from '../state-machines';

export type TradeReason = 'transfer-between-same-entity-accounts' | 'international-travels';

/** The central bank's nature code for each trade reason. */
export const TRADE_REASON_CODES: Readonly<Record<TradeReason, string>> = {
  'transfer-between-same-entity-accounts': '67995',
  'international-travels': '32999',
};

/** Units of `quote` per unit of `base`, both symbols (`USDC`, `BRL`). 10 decimals, rounded down. */
export interface RateText {
  readonly amount: DecimalText;
  readonly base: string;
  readonly quote: string;
}

export interface QuotePricing {
  readonly baseRate: RateText;
  readonly spread: { readonly amount: DecimalText; readonly asset: AssetId; readonly bps: number };
  readonly fee: { readonly amount: DecimalText; readonly asset: AssetId; readonly kind: 'fixed' };
  readonly iof: {
    readonly amount: DecimalText;
    readonly asset: AssetId;
    readonly applicable: boolean;
    readonly basisRef: string;
  };
}

/** The terms of a quote, fixed when it was issued. */
export interface QuoteTerms {
  readonly quoteId: string;
  /** The account that requested the quote. */
  readonly accountId: string;
  /**
   * `account`: accepted only for the account. `family`: requested through API v0, accepted for the account or any of
   * its sub-accounts.
   */
  readonly scope: 'account' | 'family';
  readonly sourceAsset: AssetId;
  readonly targetAsset: AssetId;
  readonly sourceAmount: DecimalText;
  readonly targetAmount: DecimalText;
  readonly givenSide: 'source' | 'target';
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  readonly pricing: QuotePricing;
  readonly offMarketPricing: boolean;
  readonly vet: RateText;
  /** Null if the conversion needs none. */
  readonly tradeReason: TradeReason | null;
  readonly rateLock: string | null;
}

export interface QuoteRecord extends QuoteTerms {
  /** At the time of the reply. Expiry is checked again at acceptance. */
  readonly state: QuoteState;
  readonly orderId: string | null;
}
