import { Controller } from '@nestjs/common';
import {
  DecideAddressReview,
  FindAddressHits,
  GetAddressReview,
  ListAddressMatches,
  ListAddressReviews,
  ListWaitingAddressReviews,
  ScreenAddress,
  SearchAddressReviews,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import {
  GetAddressReviewQuery,
  ListAddressMatchesQuery,
  ListAddressReviewsQuery,
  ListWaitingAddressReviewsQuery,
  SearchAddressReviewsQuery,
} from './address-reviews.query';
import { DecideAddressReviewCommand } from './decide-address-review.command';
import { FindAddressHitsQuery, ScreenAddressCommand } from './screen-address.command';

@Controller()
export class AddressReviewMessages extends forwardRequests(
  [ScreenAddress, ScreenAddressCommand],
  [FindAddressHits, FindAddressHitsQuery],
  [ListAddressReviews, ListAddressReviewsQuery],
  [SearchAddressReviews, SearchAddressReviewsQuery],
  [ListAddressMatches, ListAddressMatchesQuery],
  [ListWaitingAddressReviews, ListWaitingAddressReviewsQuery],
  [GetAddressReview, GetAddressReviewQuery],
  [DecideAddressReview, DecideAddressReviewCommand],
) {}
