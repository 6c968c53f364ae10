import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DecideAddressReview, GetAddressReview, ListAddressReviews, SearchAddressReviews } from '@ponte/contracts';
import { Services } from '../../edge/services';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { StaffOperation } from '../../staff/operation';
import {
  ADDRESS_REVIEW_EXAMPLE,
  AddressReviewEnvelopeDto,
  AddressReviewsDto,
  AddressReviewsQuery,
  AddressVerdictRequestDto,
} from './address-review.dto';
import { PathId } from '../../api/path';
import { queuedReviewDto } from './address-review.mapper';

/** Movements that are held because a sanctions list contains their address. */
@Resource('staff/v1/address-reviews', 'address reviews')
export class AddressReviewsController {
  constructor(private readonly services: Services) {}

  @StaffOperation('staff-list-address-reviews', {
    summary: 'List the held movements that wait for a verdict. With parameters, list every matching review, in pages',
    query: AddressReviewsQuery,
    paged: true,
    answer: described(AddressReviewsDto, { 'address-reviews': [ADDRESS_REVIEW_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<AddressReviewsQuery>): Promise<AddressReviewsDto> {
    const { 'account-id': accountId = null, verdict = null, ...page } = list.query;
    if (accountId === null && verdict === null && Object.keys(page).length === 0) {
      const { reviews } = await this.services.request(ListAddressReviews, {}, list.call);
      return { 'address-reviews': reviews.map(queuedReviewDto) };
    }
    const reviews = await list.find(SearchAddressReviews, { filters: { accountId, verdict } });
    return { 'address-reviews': reviews.map(queuedReviewDto) };
  }

  @StaffOperation('staff-get-address-review', {
    summary: 'Show one review, decided or not',
    answer: described(AddressReviewEnvelopeDto, { 'address-review': ADDRESS_REVIEW_EXAMPLE }),
    errors: ['address-review-not-found'],
  })
  @Get(':id')
  async get(
    @PathId('address-review-not-found') reviewId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<AddressReviewEnvelopeDto> {
    const record = await this.services.request(GetAddressReview, { reviewId }, call);
    return { 'address-review': queuedReviewDto(found(record, 'address-review-not-found')) };
  }

  @StaffOperation('staff-decide-address-review', {
    summary: 'Decide a held movement. Two approvers release it; one true match refuses it',
    body: described(AddressVerdictRequestDto),
    answer: described(AddressReviewEnvelopeDto, { 'address-review': ADDRESS_REVIEW_EXAMPLE }),
    errors: ['address-review-not-found', 'review-not-open', 'second-approver-required'],
  })
  @Post(':id/verdict')
  async decide(
    @PathId('address-review-not-found') reviewId: string,
    @Req() { call, body }: FastifyRequest,
  ): Promise<AddressReviewEnvelopeDto> {
    const { verdict, reason } = body as AddressVerdictRequestDto;
    const decision = { reviewId, verdict, reason, staffId: signedIn(call).actor.staffId };
    return { 'address-review': queuedReviewDto(await this.services.request(DecideAddressReview, decision, call)) };
  }
}
