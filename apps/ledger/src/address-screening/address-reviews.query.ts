import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type {
  AddressReviewRecord,
  ListAddressMatches,
  Page,
  SearchAddressReviews,
  GetAddressReview,
  ListAddressReviews,
  ListWaitingAddressReviews,
} from '@ponte/contracts';
import { MAX_ADDRESS_MATCHES } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { created } from '../withdrawal/withdrawal.state';
import { recordOf } from '../withdrawal/withdrawal.record';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import { reviewOfWithdrawal, reviewRecord } from './address-review.mapper';
import { AddressReviewReadModel } from './address-reviews.read-model';
import { AddressReviews } from './address-reviews.repository';

/** Lists the open reviews, including those of withdrawals, longest-waiting first. */
export class ListAddressReviewsQuery extends RequestQuery<typeof ListAddressReviews> {}

const MAX_REVIEWS = 200;

@QueryHandler(ListAddressReviewsQuery)
export class ListAddressReviewsHandler implements IQueryHandler<ListAddressReviewsQuery> {
  constructor(private readonly reviews: AddressReviewReadModel) {}

  async execute({ payload }: ListAddressReviewsQuery): Promise<ReplyOf<typeof ListAddressReviews>> {
    return { reviews: await this.reviews.waiting(payload, MAX_REVIEWS) };
  }
}

/** One review, open or decided. */
export class GetAddressReviewQuery extends RequestQuery<typeof GetAddressReview> {}

@QueryHandler(GetAddressReviewQuery)
export class GetAddressReviewHandler implements IQueryHandler<GetAddressReviewQuery> {
  constructor(
    private readonly reviews: AddressReviews,
    private readonly withdrawals: Withdrawals,
  ) {}

  async execute({ payload: { reviewId } }: GetAddressReviewQuery): Promise<AddressReviewRecord | null> {
    const withdrawal = created(await this.withdrawals.load(reviewId));
    return withdrawal ? reviewOfWithdrawal(recordOf(withdrawal)) : reviewRecord(await this.reviews.load(reviewId));
  }
}

/** Reviews of one account or of all accounts, open or decided, newest first. */
export class SearchAddressReviewsQuery extends RequestQuery<typeof SearchAddressReviews> {}

@QueryHandler(SearchAddressReviewsQuery)
export class SearchAddressReviewsHandler implements IQueryHandler<SearchAddressReviewsQuery> {
  constructor(private readonly reviews: AddressReviewReadModel) {}

  execute({ payload: { filters, page } }: SearchAddressReviewsQuery): Promise<Page<AddressReviewRecord>> {
    return this.reviews.page(filters, page);
  }
}

/** The reviews of an account that wait for staff. */
export class ListWaitingAddressReviewsQuery extends RequestQuery<typeof ListWaitingAddressReviews> {}

@QueryHandler(ListWaitingAddressReviewsQuery)
export class ListWaitingAddressReviewsHandler implements IQueryHandler<ListWaitingAddressReviewsQuery> {
  constructor(private readonly reviews: AddressReviewReadModel) {}

  async execute({
    payload: { accountId },
  }: ListWaitingAddressReviewsQuery): Promise<ReplyOf<typeof ListWaitingAddressReviews>> {
    return { reviewIds: await this.reviews.waitingOf(accountId) };
  }
}

/** The true matches of an account: the reviews of its movements that flag it. */
export class ListAddressMatchesQuery extends RequestQuery<typeof ListAddressMatches> {}

@QueryHandler(ListAddressMatchesQuery)
export class ListAddressMatchesHandler implements IQueryHandler<ListAddressMatchesQuery> {
  constructor(private readonly reviews: AddressReviewReadModel) {}

  execute({ payload: { accountId } }: ListAddressMatchesQuery): Promise<ReplyOf<typeof ListAddressMatches>> {
    return this.reviews.matches(accountId, MAX_ADDRESS_MATCHES);
  }
}
