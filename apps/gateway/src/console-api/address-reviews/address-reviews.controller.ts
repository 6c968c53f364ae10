import { Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DecideAddressReview, GetAddressReview, ListAddressReviews, SearchAddressReviews } from '@ponte/contracts';
import { isUuid } from '@ponte/kernel';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import { described, Operation, Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { staffOperation } from '../../staff/operation';
import {
  ADDRESS_REVIEW_EXAMPLE,
  ADDRESS_VERDICT_EXAMPLE,
  AddressReviewEnvelopeDto,
  AddressReviewsDto,
  AddressReviewsQuery,
  AddressVerdictRequestDto,
} from './address-review.dto';
import { queuedReviewDto } from './address-review.mapper';

/** Movements that are held because a sanctions list names their address. */
@Resource('staff/v1/address-reviews', 'address reviews')
export class AddressReviewsController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
  ) {}

  @Operation(
    staffOperation('staff-list-address-reviews', {
      summary: 'Held movements that wait for a verdict; with parameters, every review that fits, in pages',
      query: AddressReviewsQuery,
      paged: true,
      answer: described(AddressReviewsDto, { 'address-reviews': [ADDRESS_REVIEW_EXAMPLE] }),
    }),
  )
  @Get()
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AddressReviewsDto> {
    const { 'account-id': accountId = null, verdict = null, ...page } = request.query as AddressReviewsQuery;
    if (accountId === null && verdict === null && Object.keys(page).length === 0) {
      const { reviews } = await this.services.request(ListAddressReviews, {}, request.call);
      return { 'address-reviews': reviews.map(queuedReviewDto) };
    }
    const asked = { filters: { accountId, verdict }, page: this.pagination.page(request) };
    const found = await this.services.request(SearchAddressReviews, asked, request.call);
    return { 'address-reviews': this.pagination.items(found, request, reply).map(queuedReviewDto) };
  }

  @Operation(
    staffOperation('staff-get-address-review', {
      summary: 'One review, decided or not',
      answer: described(AddressReviewEnvelopeDto, { 'address-review': ADDRESS_REVIEW_EXAMPLE }),
      errors: ['address-review-not-found'],
    }),
  )
  @Get(':id')
  async get(@Req() { call, params }: AccountRequest): Promise<AddressReviewEnvelopeDto> {
    const record = await this.services.request(GetAddressReview, { reviewId: reviewIdOf(params) }, call);
    if (!record) throw notFound('address-review-not-found');
    return { 'address-review': queuedReviewDto(record) };
  }

  @Operation(
    staffOperation('staff-decide-address-review', {
      summary: 'Decide about a held movement: two approvers let it go on, one true match refuses it',
      body: described(AddressVerdictRequestDto, ADDRESS_VERDICT_EXAMPLE),
      answer: described(AddressReviewEnvelopeDto, { 'address-review': ADDRESS_REVIEW_EXAMPLE }),
      errors: ['address-review-not-found', 'review-not-open', 'second-approver-required'],
    }),
  )
  @Post(':id/verdict')
  async decide(@Req() { call, params, body }: AccountRequest): Promise<AddressReviewEnvelopeDto> {
    const { verdict, reason } = body as AddressVerdictRequestDto;
    const decision = { reviewId: reviewIdOf(params), verdict, reason, staffId: signedIn(call).actor.staffId };
    return { 'address-review': queuedReviewDto(await this.services.request(DecideAddressReview, decision, call)) };
  }
}

function reviewIdOf(params: Readonly<Record<string, string>>): string {
  const id = params['id'];
  if (!isUuid(id)) throw notFound('address-review-not-found');
  return id;
}
