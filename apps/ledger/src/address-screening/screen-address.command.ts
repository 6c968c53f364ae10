import { Inject } from '@nestjs/common';
import type { ICommandHandler, IQueryHandler } from '@nestjs/cqrs';
import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import type {
  AddressHit,
  FindAddressHits,
  ScreenAddressPayload,
  ScreeningOutcome,
  ScreenAddress,
} from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestCommand, RequestQuery } from '@ponte/nest';
import { isCovered } from '../withdrawal-review/withdrawal-review.domain';
import { created } from '../withdrawal/withdrawal.state';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import type { AddressScreening } from './address-screening.port';
import { ADDRESS_SCREENING } from './address-screening.port';
import { AddressReviews } from './address-reviews.repository';

/** Decides whether a movement may use an address now. A new hit opens a review. */
export class ScreenAddressCommand extends RequestCommand<typeof ScreenAddress> {}

@CommandHandler(ScreenAddressCommand)
export class ScreenAddressHandler implements ICommandHandler<ScreenAddressCommand> {
  constructor(
    private readonly reviews: AddressReviews,
    private readonly withdrawals: Withdrawals,
    @Inject(ADDRESS_SCREENING) private readonly screening: AddressScreening,
  ) {}

  async execute({ payload: screened, context }: ScreenAddressCommand): Promise<{ readonly outcome: ScreeningOutcome }> {
    const hits = this.screening.screen(screened.address.toLowerCase());
    const isNew = hits.length > 0 && !(await this.wasCleared(screened, hits));
    return { outcome: await this.reviews.outcomeFor(screened, isNew ? hits : [], context) };
  }

  /**
   * Whether the withdrawal's own review covers these hits. The withdrawal has started, so staff found them to be false
   * positives.
   */
  private async wasCleared({ subject }: ScreenAddressPayload, hits: readonly AddressHit[]): Promise<boolean> {
    if (subject.kind !== 'withdrawal') return false;
    return isCovered(created(await this.withdrawals.load(subject.id))?.review ?? null, hits);
  }
}

/** Lists the entries that name any of the addresses. Opens no review. */
export class FindAddressHitsQuery extends RequestQuery<typeof FindAddressHits> {}

@QueryHandler(FindAddressHitsQuery)
export class FindAddressHitsHandler implements IQueryHandler<FindAddressHitsQuery> {
  constructor(@Inject(ADDRESS_SCREENING) private readonly screening: AddressScreening) {}

  async execute({ payload: { addresses } }: FindAddressHitsQuery): Promise<ReplyOf<typeof FindAddressHits>> {
    const all = addresses.map((address) => ({ address, hits: this.screening.screen(address.toLowerCase()) }));
    return { found: all.filter(({ hits }) => hits.length > 0) };
  }
}
