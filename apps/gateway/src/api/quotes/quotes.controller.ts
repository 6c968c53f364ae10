import { Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PriceQuote, RequestQuote } from '@ponte/contracts';
import { Services } from '../../edge/services';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { QuoteDto, QuoteRequestDto } from './quote.dto';
import { quoteDto, requestQuotePayload } from './quote.mapper';
import { exampleOf } from '../../validation/members';

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

const quoting = {
  operation: 'create-quote',
  shedPriority: 'first',
  dryRun: true,
  whileFrozen: 'service',
  body: described(QuoteRequestDto, exampleOf(QuoteRequestDto, { 'source-amount': '100.00' })),
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
