import type { AssetId } from '@ponte/kernel';
import { Rate, Refusal } from '@ponte/kernel';
import type { RequestQuotePayload } from '@ponte/contracts';
import defaultRules from '../default-rules.json';
import type { Market } from '../market/market.domain';
import { readRules } from '../rules/read-rules.domain';
import type { PricingFacts } from '../price/price-quote.domain';
import { priceQuote } from '../price/price-quote.domain';

/** A Wednesday, 11:00 in São Paulo. */
export const NOON = Date.UTC(2026, 4, 13, 14);
export const rules = readRules(defaultRules);
export const rate = (base: string, text: string) => Rate.parse(base, 'BRL', text);
export const market: Market = {
  usdBrl: { rate: rate('USD', '5.3412'), observedAt: NOON - 1000 },
  reference: { rate: rate('USD', '5.34'), observedAt: NOON, source: 'ptax' },
  sharePrice: { rate: rate('wBRLY', '1.0712345678'), observedAt: NOON },
};
export const everything = ['international-travels', 'rate-lock-5m', 'rate-lock-30m', 'rate-lock-1h', 'rate-lock-24h'];

/** The facts for the prices of these tests: an account with every capability, and fresh rates. */
export const facts: PricingFacts = {
  rules,
  market,
  account: { status: 'active', capabilities: everything },
  now: NOON,
  isOrderable: () => true,
};

/** A request for a quote. Without `more` it has no amount. */
export const asking = (
  source: AssetId,
  target: AssetId,
  more: Partial<RequestQuotePayload> = {},
): RequestQuotePayload => ({
  quoteId: 'q',
  accountId: 'a',
  scope: 'account',
  sourceAsset: source,
  targetAsset: target,
  sourceAmount: null,
  targetAmount: null,
  tradeReason: null,
  rateLock: null,
  ...more,
});
export const fx = { tradeReason: 'transfer-between-same-entity-accounts' } as const;

/** The code and path of each violation for which the request is refused; empty if it is priced. */
export const refusal = (request: RequestQuotePayload, changed: Partial<PricingFacts> = {}): string[] => {
  try {
    priceQuote(request, { ...facts, ...changed });
  } catch (error) {
    if (error instanceof Refusal)
      return error.violations.map((violation) => `${violation.code} ${violation.path}`.trim());
    throw error;
  }
  return [];
};
export const withAccount = (status: 'active' | 'frozen' | 'closed', ...capabilities: string[]) => ({
  account: { status, capabilities },
});
