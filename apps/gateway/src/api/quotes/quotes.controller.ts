import { Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PriceQuote, RequestQuote, TRADE_REASON_CODES } from '@ponte/contracts';
import type { QuoteRecord, RequestQuotePayload } from '@ponte/contracts';
import { Services } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { QuoteDto, QuoteRequestDto, SAME_CURRENCY } from './quote.dto';
import { exampleOf, isPlainObject } from '../../validation/fields';
import type { Call } from '../../edge/request-context.service';

const QUOTE_ERRORS = [
  'amount-must-be-string',
  'exactly-one-amount-required',
  'asset-pair-not-supported',
  'trade-reason-required',
  'trade-reason-not-enabled',
  'rate-lock-not-applicable',
  'rate-lock-not-enabled',
  'amount-below-minimum',
  'amount-above-maximum',
  'account-not-active',
  'pricing-unavailable',
] as const;

/** Drops a trade reason that is ignored, whatever it is, before the values of the others are checked. */
const quoteForm = {
  prepare(body: unknown): unknown {
    if (!isPlainObject(body) || typeof body['trade-reason'] !== 'string') return body;
    const isIgnored = ['source-asset', 'target-asset'].every((name) =>
      (SAME_CURRENCY as unknown[]).includes(body[name]),
    );
    if (isIgnored) delete body['trade-reason'];
    return body;
  },
};

const quoting = {
  operation: 'create-quote',
  shedPriority: 'first',
  dryRun: true,
  whileFrozen: 'service',
  body: described(QuoteRequestDto, exampleOf(QuoteRequestDto, { 'source-amount': '100.00' }), quoteForm),
  answer: described(QuoteDto),
  errors: QUOTE_ERRORS,
} as const;

@Resource('api', 'quotes')
export class QuotesController {
  constructor(private readonly services: Services) {}

  @Operation({ ...quoting, id: 'create-quote', summary: 'Price a conversion for an account', reach: 'account' })
  @Post('v1/accounts/:accountId/quotes')
  create(@Req() request: FastifyRequest): Promise<QuoteDto> {
    return this.quote(request, 'account');
  }

  @Operation({
    ...quoting,
    id: 'create-quote-v0',
    summary: "Price a conversion for the key's own account or any sub-account of it",
    reach: 'own',
    successor: '/api/v1/accounts/:accountId/quotes',
  })
  @Post('v0/quotes')
  createV0(@Req() request: FastifyRequest): Promise<QuoteDto> {
    return this.quote(request, 'family');
  }

  /** The quote's id is the command id, so a repeated command finds the same quote. */
  private quote({ call, body }: FastifyRequest, scope: 'account' | 'family'): Promise<QuoteDto> {
    return this.services
      .request(call.dryRun ? PriceQuote : RequestQuote, requestQuotePayload(body as QuoteRequestDto, call, scope), call)
      .then(quoteDto);
  }
}

const requestQuotePayload = (
  body: QuoteRequestDto,
  call: Call,
  scope: RequestQuotePayload['scope'],
): RequestQuotePayload => ({
  quoteId: call.commandId,
  accountId: call.accountId,
  scope,
  sourceAsset: body['source-asset'],
  targetAsset: body['target-asset'],
  sourceAmount: body['source-amount'] ?? null,
  targetAmount: body['target-amount'] ?? null,
  tradeReason: body['trade-reason'] ?? null,
  rateLock: body['rate-lock'] ?? null,
});

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
