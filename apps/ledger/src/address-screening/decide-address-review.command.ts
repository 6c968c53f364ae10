import { Inject } from '@nestjs/common';
import type { ICommandHandler, IQueryHandler } from '@nestjs/cqrs';
import { Command, CommandBus, CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AddressReviewRecord, DecideAddressReview, WithdrawalRecord } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { awaitsReview } from '../withdrawal/withdrawal-review';
import { ReviewWithdrawalCommand } from '../withdrawal/review-withdrawal.command';
import { created } from '../withdrawal/withdrawal.decider';
import { recordOf } from '../withdrawal/withdrawal.record';
import type { WithdrawalReadModel } from '../withdrawal/withdrawals.read-model';
import { WITHDRAWAL_READ_MODEL } from '../withdrawal/withdrawals.read-model';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import type { AddressReview } from './address-review.decider';
import type { AddressReviewReadModel } from './address-reviews.read-model';
import { ADDRESS_REVIEW_READ_MODEL } from './address-reviews.read-model';
import { AddressReviews } from './address-reviews.repository';

/** A member of staff decides about an address that sanctions lists name. */
export class DecideAddressReviewCommand extends Command<AddressReviewRecord> {
  constructor(
    readonly payload: PayloadOf<typeof DecideAddressReview>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(DecideAddressReviewCommand)
export class DecideAddressReviewHandler implements ICommandHandler<DecideAddressReviewCommand> {
  constructor(
    private readonly reviews: AddressReviews,
    private readonly withdrawals: Withdrawals,
    private readonly commands: CommandBus,
  ) {}

  /** A withdrawal is reviewed in its own stream; `AddressReviewed` carries on what any other waits for. */
  async execute({ payload, context }: DecideAddressReviewCommand): Promise<AddressReviewRecord> {
    const { reviewId, verdict, reason, staffId } = payload;
    if (created(await this.withdrawals.load(reviewId))) {
      const decision = { withdrawalId: reviewId, verdict, reason, staffId };
      const record = await this.commands.execute(new ReviewWithdrawalCommand(decision, context));
      return ofWithdrawal(record) ?? refuse('review-not-open', 'the withdrawal does not wait for a review', 'id');
    }
    const state = await this.reviews.execute(
      reviewId,
      (now) => ({ kind: 'decide', verdict, reason, staffId, now }),
      context,
    );
    return shown(state) ?? refuse('address-review-not-found', 'there is no such review', 'id');
  }
}

/** What waits for a review, withdrawals too, the longest waiting first. */
export class ListAddressReviewsQuery extends Query<{ readonly reviews: readonly AddressReviewRecord[] }> {}

const MOST_REVIEWS = 200;

@QueryHandler(ListAddressReviewsQuery)
export class ListAddressReviewsHandler implements IQueryHandler<ListAddressReviewsQuery> {
  constructor(
    @Inject(ADDRESS_REVIEW_READ_MODEL) private readonly reviews: AddressReviewReadModel,
    @Inject(WITHDRAWAL_READ_MODEL) private readonly withdrawals: WithdrawalReadModel,
  ) {}

  async execute(): Promise<{ readonly reviews: readonly AddressReviewRecord[] }> {
    const [own, held] = await Promise.all([
      this.reviews.waiting(MOST_REVIEWS),
      this.withdrawals.underReview(MOST_REVIEWS),
    ]);
    const all = [...own, ...held.flatMap((record) => ofWithdrawal(record) ?? [])];
    return { reviews: all.sort((one, other) => one.heldAt.localeCompare(other.heldAt)).slice(0, MOST_REVIEWS) };
  }
}

/** One review, decided or not. */
export class GetAddressReviewQuery extends Query<AddressReviewRecord | null> {
  constructor(readonly reviewId: string) {
    super();
  }
}

@QueryHandler(GetAddressReviewQuery)
export class GetAddressReviewHandler implements IQueryHandler<GetAddressReviewQuery> {
  constructor(
    private readonly reviews: AddressReviews,
    private readonly withdrawals: Withdrawals,
  ) {}

  async execute({ reviewId }: GetAddressReviewQuery): Promise<AddressReviewRecord | null> {
    const withdrawal = created(await this.withdrawals.load(reviewId));
    return withdrawal ? ofWithdrawal(recordOf(withdrawal)) : shown(await this.reviews.load(reviewId));
  }
}

function shown(state: AddressReview): AddressReviewRecord | null {
  if (state.status === 'absent') return null;
  const { status: _, ...record } = state;
  return record;
}

function ofWithdrawal({ id, accountId, target, review, state }: WithdrawalRecord): AddressReviewRecord | null {
  if (!review || target.method !== 'token') return null;
  const decided = state === 'rolled-back' ? 'refused' : 'clear';
  return {
    ...review,
    id,
    subject: { kind: 'withdrawal', id },
    accountId,
    address: target.destinationWalletAddress,
    outcome: awaitsReview(review) ? 'waits' : decided,
  };
}
