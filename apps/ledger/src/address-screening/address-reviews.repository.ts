import { Inject, Injectable } from '@nestjs/common';
import type { AddressHit, ScreenAddressPayload, ScreeningOutcome } from '@ponte/contracts';
import { addressReviewId } from '@ponte/contracts';
import type { CommandSource, RequestContext } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER, commandContext } from '@ponte/nest';
import type { Logger } from 'pino';
import { step } from '../commands/steps';
import type { AddressReview, AddressReviewCommand } from './address-review.decider';
import { addressReview, outcomeOf } from './address-review.decider';
import type { AddressReviewReadModel } from './address-reviews.read-model';
import { ADDRESS_REVIEW_READ_MODEL } from './address-reviews.read-model';

/** The streams of address reviews; the queue is updated before a command is answered. */
@Injectable()
export class AddressReviews {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ADDRESS_REVIEW_READ_MODEL) private readonly readModel: AddressReviewReadModel,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async load(reviewId: string): Promise<AddressReview> {
    return (await this.aggregates.load(addressReview, reviewId)).state;
  }

  /** What the hits of an address mean for what it belongs to: with new ones a review is opened. */
  async judge(
    screened: ScreenAddressPayload,
    hits: readonly AddressHit[],
    context: RequestContext,
  ): Promise<ScreeningOutcome> {
    const reviewId = addressReviewId(screened.subject);
    if (hits.length === 0) return outcomeOf(await this.load(reviewId));
    const named = hits
      .map(({ list, entryId }) => `${list} ${entryId}`)
      .sort()
      .join();
    const opening = (now: string): AddressReviewCommand => ({ kind: 'open', screened, hits, now });
    return outcomeOf(await this.handle(reviewId, opening, step(context, 'open-address-review', reviewId, named)));
  }

  async handle(
    reviewId: string,
    command: CommandSource<AddressReviewCommand>,
    context: RequestContext,
  ): Promise<AddressReview> {
    const { state, revision, events } = await this.aggregates.handle(
      addressReview,
      reviewId,
      command,
      commandContext(context, this.clock),
    );
    if (events.length === 0) return state;
    try {
      await this.readModel.put(state, revision);
    } catch (error) {
      this.logger.error(
        { ...logged(context), reviewId, failure: error instanceof Error ? error.name : typeof error },
        'an address review did not reach its list; the projector brings it up to date',
      );
    }
    return state;
  }

  async catchUp(reviewId: string): Promise<void> {
    const { state, revision } = await this.aggregates.load(addressReview, reviewId);
    await this.readModel.put(state, revision);
  }
}
