import { Inject } from '@nestjs/common';
import type { ICommandHandler, IQueryHandler } from '@nestjs/cqrs';
import { Command, CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { FindAddressHits, ScreenAddressPayload, ScreeningOutcome } from '@ponte/contracts';
import type { ReplyOf, RequestContext } from '@ponte/event-sourcing';
import type { AddressScreening } from './address-screening.port';
import { ADDRESS_SCREENING } from './address-screening.port';
import { AddressReviews } from './address-reviews.repository';

/** Whether a movement may use an address now. A hit opens a review. */
export class ScreenAddressCommand extends Command<{ readonly outcome: ScreeningOutcome }> {
  constructor(
    readonly screened: ScreenAddressPayload,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ScreenAddressCommand)
export class ScreenAddressHandler implements ICommandHandler<ScreenAddressCommand> {
  constructor(
    private readonly reviews: AddressReviews,
    @Inject(ADDRESS_SCREENING) private readonly screening: AddressScreening,
  ) {}

  async execute({ screened, context }: ScreenAddressCommand): Promise<{ readonly outcome: ScreeningOutcome }> {
    const hits = this.screening.screen(screened.address.toLowerCase());
    return { outcome: await this.reviews.judge(screened, hits, context) };
  }
}

/** The entries that name any of the addresses; opens no review. */
export class FindAddressHitsQuery extends Query<ReplyOf<typeof FindAddressHits>> {
  constructor(readonly addresses: readonly string[]) {
    super();
  }
}

@QueryHandler(FindAddressHitsQuery)
export class FindAddressHitsHandler implements IQueryHandler<FindAddressHitsQuery> {
  constructor(@Inject(ADDRESS_SCREENING) private readonly screening: AddressScreening) {}

  async execute({ addresses }: FindAddressHitsQuery): Promise<ReplyOf<typeof FindAddressHits>> {
    const all = addresses.map((address) => ({ address, hits: this.screening.screen(address.toLowerCase()) }));
    return { found: all.filter(({ hits }) => hits.length > 0) };
  }
}
