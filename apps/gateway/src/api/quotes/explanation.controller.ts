import { Get, Inject, Req } from '@nestjs/common';
import type { ExplainedQuote } from '@ponte/contracts';
import { ExplainQuote } from '@ponte/contracts';
import { isUuid } from '@ponte/kernel';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { ApiError, found } from '../../errors/api-error';
import { quoteDto } from './quotes.controller';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import { QUOTE_SIGNER } from '../../gateway-tokens.port';
import type { ExplanationDto } from './explanation.dto';
import { ExplainQuery, QuoteEnvelopeDto } from './explanation.dto';
import type { QuoteSigner } from './quote-signer';

const READING = { answer: described(QuoteEnvelopeDto), errors: ['quote-not-found'] as const };

/** An issued quote with its current state, and a signed explanation of how it was computed. */
@Resource('', 'quotes')
export class QuoteExplanationController {
  constructor(
    private readonly services: Services,
    @Inject(QUOTE_SIGNER) private readonly signer: QuoteSigner,
  ) {}

  @Operation({
    ...READING,
    id: 'get-quote',
    summary: 'Get a quote of an account, on request with an explanation',
    reach: 'account',
    query: ExplainQuery,
  })
  @Get('api/v1/accounts/:accountId/quotes/:id')
  async get(@Req() request: AccountRequest): Promise<QuoteEnvelopeDto> {
    const issued = await this.find(request, request.call.accountId);
    const { explain } = request.query as ExplainQuery;
    if (explain !== 'true') return { quote: quoteDto(issued.quote), state: issued.quote.state };
    const explained = await this.explained(issued);
    // A partner must not get an explanation without a signature.
    if (explained.jws === undefined)
      throw new ApiError('service-unavailable', { message: 'This installation has no key to sign explanations with.' });
    return explained;
  }

  @Operation({ ...READING, id: 'staff-explain-quote', summary: 'Get any quote with its explanation', reach: 'staff' })
  @Get('staff/quotes/:id')
  async explain(@Req() request: AccountRequest): Promise<QuoteEnvelopeDto> {
    return this.explained(await this.find(request, null));
  }

  @StaffOperation('staff-get-quote', { ...READING, summary: 'Get any quote with its explanation' })
  @Get('staff/v1/quotes/:id')
  async show(@Req() request: AccountRequest): Promise<QuoteEnvelopeDto> {
    return this.explained(await this.find(request, null));
  }

  private async find({ call, params }: AccountRequest, accountId: string | null): Promise<ExplainedQuote> {
    const quoteId = params['id'];
    const quote = isUuid(quoteId) ? await this.services.request(ExplainQuote, { quoteId, accountId }, call) : null;
    return found(quote, 'quote-not-found');
  }

  /**
   * Signs the quote as issued, without its current state, so that the signed content never changes. Without a signing
   * key the result has no `jws`.
   */
  private async explained(issued: ExplainedQuote): Promise<QuoteEnvelopeDto> {
    const [quote, explanation] = [quoteDto(issued.quote), explanationDto(issued)];
    const jws = await this.signer.sign({ quote, explanation, 'account-id': issued.quote.accountId });
    return { quote, state: issued.quote.state, explanation, ...(jws === null ? {} : { jws }) };
  }
}

const explanationDto = ({ quote, inputs, steps }: ExplainedQuote): ExplanationDto => ({
  'given-side': quote.givenSide,
  'given-amount': inputs.givenAmount,
  rates: inputs.rates.map(({ observedAt, blockNumber, readings, ...rate }) => ({
    ...rate,
    'observed-at': observedAt,
    'block-number': blockNumber ?? null,
    readings: readings.map(({ observedAt: readAt, spreadBps, ...reading }) => ({
      ...reading,
      'observed-at': readAt,
      'spread-bps': spreadBps,
    })),
  })),
  'off-market-set': inputs.offMarketSet,
  'reference-missing': inputs.referenceMissing ?? false,
  steps: steps.map((one) => ({ ...one })),
  'rules-version': inputs.rulesVersion,
  rules: inputs.rules.map((one) => ({ ...one })),
});
