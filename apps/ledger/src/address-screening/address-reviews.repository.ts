import { Injectable } from '@nestjs/common';
import type { AddressHit, ScreenAddressPayload, ScreeningOutcome } from '@ponte/contracts';
import { addressReviewId } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { defineRepository } from '@ponte/nest';
import { step } from '../steps';
import type { AddressReviewCommand } from './address-review.decider';
import { addressReview, opensReview, outcomeOf } from './address-review.decider';
import { AddressReviewReadModel } from './address-reviews.read-model';

/** The streams of address reviews. */
@Injectable()
export class AddressReviews extends defineRepository(addressReview, AddressReviewReadModel) {
  /** Returns what the hits of an address mean for its movement. New hits open a review. */
  async outcomeFor(
    screened: ScreenAddressPayload,
    hits: readonly AddressHit[],
    context: RequestContext,
  ): Promise<ScreeningOutcome> {
    const reviewId = addressReviewId(screened.subject);
    const state = await this.load(reviewId);
    // A movement that waits is screened every few seconds. Each repeated command would log the review as created.
    if (!opensReview(state, hits)) return outcomeOf(state);
    const named = hits
      .map(({ list, entryId }) => `${list} ${entryId}`)
      .sort()
      .join();
    const opening = (now: string): AddressReviewCommand => ({ kind: 'open', screened, hits, now });
    // An entry may be listed again after a review of other entries.
    const since = state.status === 'absent' ? '' : state.heldAt;
    return outcomeOf(
      await this.execute(reviewId, opening, step(context, 'open-address-review', reviewId, named, since)),
    );
  }
}
