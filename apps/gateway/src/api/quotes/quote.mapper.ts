import type { QuoteRecord, RequestQuotePayload } from '@ponte/contracts';
import { TRADE_REASON_CODES } from '@ponte/contracts';
import type { Call } from '../../edge/request-context';
import type { QuoteDto, QuoteRequestDto } from './quote.dto';

export const requestQuotePayload = (
  body: QuoteRequestDto,
  call: Call,
  scope: RequestQuotePayload['scope'],
): RequestQuotePayload => ({
  quoteId: call.commandId,
  accountId: call.accountId,
  scope,
  sourceAsset: body['source-asset'],
  targetAsset: body['target-asset'],
  sourceAmount: cut(body['source-amount']),
  targetAmount: cut(body['target-amount']),
  tradeReason: body['trade-reason'] ?? null,
  rateLock: body['rate-lock'] ?? null,
});

/**
 * The specification says: "In a quote excess decimals are truncated". No asset has more than 18 decimals, and longer
 * amounts would fail validation.
 */
const cut = (amount: string | undefined): string | null => {
  if (amount === undefined) return null;
  return amount.length <= MOST_DECIMALS ? amount : amount.replace(/(\.\d{18})\d+$/, '$1');
};

const MOST_DECIMALS = 18;

export const quoteDto = (quote: QuoteRecord): QuoteDto => ({
  id: quote.quoteId,
  'source-asset': quote.sourceAsset,
  'target-asset': quote.targetAsset,
  'source-amount': quote.sourceAmount,
  'target-amount': quote.targetAmount,
  'created-at': quote.createdAt,
  'expires-at': quote.expiresAt,
  pricing: {
    'base-rate': quote.pricing.baseRate,
    spread: quote.pricing.spread,
    fee: quote.pricing.fee,
    iof: {
      amount: quote.pricing.iof.amount,
      asset: quote.pricing.iof.asset,
      applicable: quote.pricing.iof.applicable,
      'basis-ref': quote.pricing.iof.basisRef,
    },
  },
  'off-market-pricing': quote.offMarketPricing,
  vet: quote.vet,
  ...(quote.tradeReason === null
    ? {}
    : { 'trade-reason': quote.tradeReason, 'trade-reason-code': TRADE_REASON_CODES[quote.tradeReason] }),
  ...(quote.rateLock === null ? {} : { 'rate-lock': quote.rateLock }),
});
