import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  DecideAddressReview,
  FindAddressHits,
  GetAddressReview,
  ListAddressMatches,
  ListAddressReviews,
  ScreenAddress,
  SearchAddressReviews,
} from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import {
  GetAddressReviewQuery,
  ListAddressMatchesQuery,
  ListAddressReviewsQuery,
  SearchAddressReviewsQuery,
} from './address-reviews.query';
import { DecideAddressReviewCommand } from './decide-address-review.command';
import { FindAddressHitsQuery, ScreenAddressCommand } from './screen-address.command';

@Controller()
export class AddressReviewMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(ScreenAddress.pattern)
  screen(
    @Payload() payload: PayloadOf<typeof ScreenAddress>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ScreenAddress>> {
    return this.commands.execute(new ScreenAddressCommand(payload, context));
  }

  @MessagePattern(FindAddressHits.pattern)
  find(@Payload() { addresses }: PayloadOf<typeof FindAddressHits>): Promise<ReplyOf<typeof FindAddressHits>> {
    return this.queries.execute(new FindAddressHitsQuery(addresses));
  }

  @MessagePattern(ListAddressReviews.pattern)
  list(): Promise<ReplyOf<typeof ListAddressReviews>> {
    return this.queries.execute(new ListAddressReviewsQuery());
  }

  @MessagePattern(SearchAddressReviews.pattern)
  search(@Payload() payload: PayloadOf<typeof SearchAddressReviews>): Promise<ReplyOf<typeof SearchAddressReviews>> {
    return this.queries.execute(new SearchAddressReviewsQuery(payload));
  }

  @MessagePattern(ListAddressMatches.pattern)
  matches(@Payload() { accountId }: PayloadOf<typeof ListAddressMatches>): Promise<ReplyOf<typeof ListAddressMatches>> {
    return this.queries.execute(new ListAddressMatchesQuery(accountId));
  }

  @MessagePattern(GetAddressReview.pattern)
  get(@Payload() { reviewId }: PayloadOf<typeof GetAddressReview>): Promise<ReplyOf<typeof GetAddressReview>> {
    return this.queries.execute(new GetAddressReviewQuery(reviewId));
  }

  @MessagePattern(DecideAddressReview.pattern)
  decide(
    @Payload() payload: PayloadOf<typeof DecideAddressReview>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof DecideAddressReview>> {
    return this.commands.execute(new DecideAddressReviewCommand(payload, context));
  }
}
