import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { AddressReviewRecord, DecideAddressReview } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { ReviewWithdrawalCommand } from '../withdrawal-review/review-withdrawal.command';
import { VerdictReasons } from '../withdrawal-review/verdict-reasons.service';
import { created } from '../withdrawal/withdrawal.state';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import { reviewOfWithdrawal, reviewRecord } from './address-review.mapper';
import { AddressReviews } from './address-reviews.repository';

/** A staff member decides on an address that sanctions lists name. */
export class DecideAddressReviewCommand extends RequestCommand<typeof DecideAddressReview> {}

@CommandHandler(DecideAddressReviewCommand)
export class DecideAddressReviewHandler implements ICommandHandler<DecideAddressReviewCommand> {
  constructor(
    private readonly reviews: AddressReviews,
    private readonly reasons: VerdictReasons,
    private readonly withdrawals: Withdrawals,
    private readonly commands: CommandBus,
  ) {}

  /** A withdrawal is reviewed in its own stream. Other movements continue because of the `AddressReviewed` event. */
  async execute({ payload, context }: DecideAddressReviewCommand): Promise<AddressReviewRecord> {
    const { reviewId, version, verdict, staffId } = payload;
    if (created(await this.withdrawals.load(reviewId))) {
      const decision = { withdrawalId: reviewId, version, verdict, reason: payload.reason, staffId };
      const record = await this.commands.execute(new ReviewWithdrawalCommand(decision, context));
      return reviewOfWithdrawal(record) ?? refuse('review-not-open', 'the withdrawal does not wait for a review', 'id');
    }
    const review = reviewRecord(await this.reviews.load(reviewId));
    if (!review) return refuse('address-review-not-found', 'there is no such review', 'id');
    const reason = await this.reasons.sealed(review.accountId, payload.reason, context);
    const state = await this.reviews.execute(
      reviewId,
      (now) => ({ kind: 'decide', version, verdict, reason, staffId, now }),
      context,
    );
    return reviewRecord(state) ?? refuse('address-review-not-found', 'there is no such review', 'id');
  }
}
