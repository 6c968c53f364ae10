import { Injectable } from '@nestjs/common';
import type { ScreeningOutcome } from '@ponte/contracts';
import { isTokenCoordinates } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { assetOf } from '@ponte/kernel';
import type { Deposit } from '../deposit/deposit.state';
import { AddressReviews } from './address-reviews.repository';

/** The decision of staff about the sender of tokens. */
@Injectable()
export class JudgeSender {
  constructor(private readonly reviews: AddressReviews) {}

  /** Uses the hits stored in `DepositFinalized`, so that every run agrees. New hits open a review. */
  async outcome(
    { facts: { depositId, asset, amount, coordinates }, accountId, hits }: Extract<Deposit, { status: 'confirmed' }>,
    context: RequestContext,
  ): Promise<ScreeningOutcome> {
    if (hits === undefined) return 'clear';
    if (!isTokenCoordinates(coordinates)) throw new Error(`deposit ${depositId} has hits and is not of tokens`);
    const { sourceAddress: address } = coordinates;
    const subject = { kind: 'deposit', id: depositId } as const;
    const chain = assetOf(asset).chain ?? null;
    return this.reviews.outcomeFor({ subject, accountId, address, chain, asset, amount }, hits, context);
  }
}
