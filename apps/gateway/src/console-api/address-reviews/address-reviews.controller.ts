import { Get, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  DecideAddressReview,
  GetAddressReview,
  ListAddressReviews,
  OpenAccountStanding,
  SearchAddressReviews,
  sealVerdictReason,
} from '@ponte/contracts';
import type { AddressReviewRecord } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { Logger } from 'pino';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { StaffOperation } from '../../staff/operation';
import type { QueuedAddressReviewDto } from './address-review.dto';
import {
  ADDRESS_REVIEW_EXAMPLE,
  AddressReviewEnvelopeDto,
  AddressReviewQuery,
  AddressReviewsDto,
  AddressReviewsQuery,
  AddressVerdictRequestDto,
} from './address-review.dto';
import { PathId } from '../../api/path';
import { queuedReviewDto } from './address-review.mapper';

/** Movements that are held because a sanctions list contains their address. */
@Resource('staff/v1/address-reviews', 'address reviews')
export class AddressReviewsController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @StaffOperation('staff-list-address-reviews', {
    summary:
      'List the reviews that wait for a verdict, the longest wait first. With `account-id`, `verdict` or a paging ' +
      'parameter, list every matching review, newest first',
    query: AddressReviewsQuery,
    paged: true,
    answer: described(AddressReviewsDto, { 'address-reviews': [ADDRESS_REVIEW_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<AddressReviewsQuery>): Promise<AddressReviewsDto> {
    const { 'account-id': accountId = null, verdict = null, ...others } = list.query;
    const { subject = null, chain = null, asset = null, ...page } = others;
    const movement = { subject, chain, asset };
    if (accountId === null && verdict === null && Object.keys(page).length === 0) {
      const { reviews } = await this.services.request(ListAddressReviews, movement, list.call);
      return { 'address-reviews': await allShown(reviews) };
    }
    const reviews = await list.find(SearchAddressReviews, { filters: { accountId, verdict, ...movement } });
    return { 'address-reviews': await allShown(reviews) };
  }

  @StaffOperation('staff-get-address-review', {
    summary: 'Show one review, decided or not. With a purpose, show the reasons of its verdicts and record the view',
    query: AddressReviewQuery,
    answer: described(AddressReviewEnvelopeDto, { 'address-review': ADDRESS_REVIEW_EXAMPLE }),
    errors: ['address-review-not-found', 'personal-data-restricted'],
  })
  @Get(':id')
  async get(
    @PathId('address-review-not-found') reviewId: string,
    @Req() { call, query }: FastifyRequest,
  ): Promise<AddressReviewEnvelopeDto> {
    const record = found(await this.services.request(GetAddressReview, { reviewId }, call), 'address-review-not-found');
    const { purpose } = query as AddressReviewQuery;
    if (purpose === undefined) return shown(record);
    const view = { accountId: record.accountId, staff: signedIn(call).actor, purpose, showsReasons: true };
    found(await this.services.request(OpenAccountStanding, view, call), 'address-review-not-found');
    const { personalData, logger } = this;
    return { 'address-review': await queuedReviewDto(record, { personalData, logger, call }) };
  }

  @StaffOperation('staff-decide-address-review', {
    summary: 'Decide a held movement. Two approvers release it; one true match refuses it',
    body: described(AddressVerdictRequestDto),
    answer: described(AddressReviewEnvelopeDto, { 'address-review': ADDRESS_REVIEW_EXAMPLE }),
    errors: [
      'address-review-not-found',
      'review-not-open',
      'second-approver-required',
      'review-changed',
      'person-erased',
    ],
  })
  @Post(':id/verdict')
  async decide(
    @PathId('address-review-not-found') reviewId: string,
    @Req() { call, body }: FastifyRequest,
  ): Promise<AddressReviewEnvelopeDto> {
    const { version, verdict, reason: text } = body as AddressVerdictRequestDto;
    const reason = await sealVerdictReason(this.personalData, text);
    const decision = { reviewId, version, verdict, reason, staffId: signedIn(call).actor.staffId };
    return shown(await this.services.request(DecideAddressReview, decision, call));
  }
}

/** Without the reasons of the verdicts. */
const shown = async (record: AddressReviewRecord): Promise<AddressReviewEnvelopeDto> => ({
  'address-review': await queuedReviewDto(record, null),
});

const allShown = (reviews: readonly AddressReviewRecord[]): Promise<QueuedAddressReviewDto[]> =>
  Promise.all(reviews.map((record) => queuedReviewDto(record, null)));
