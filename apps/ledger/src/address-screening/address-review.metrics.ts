import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { CountedMatches, WaitingReviews } from '@ponte/contracts';
import { ADDRESS_SUBJECTS } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS } from '@ponte/nest';
import { WithdrawalReadModel } from '../withdrawal/withdrawals.read-model';
import { AddressReviewReadModel } from './address-reviews.read-model';

/** Metrics of address reviews: the size and age of the queue, and the true matches. */
@Injectable()
export class AddressReviewMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly reviews: AddressReviewReadModel,
    private readonly withdrawals: WithdrawalReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_address_reviews_open', async () => {
      return bySubject(await this.waiting());
    });
    this.metrics.measure('ponte_address_review_oldest_seconds', async () => {
      const now = this.clock.now();
      const ages = (await this.waiting()).map(({ since }) => secondsSince(since, now));
      return [{ labels: {}, value: Math.max(0, ...ages) }];
    });
    this.metrics.measure('ponte_address_true_matches', async () => {
      return bySubject(await this.reviews.countedMatches());
    });
  }

  private async waiting(): Promise<readonly WaitingReviews[]> {
    const [own, held] = await Promise.all([this.reviews.counts(), this.withdrawals.reviews()]);
    const [started, others] = [own.find(isOfWithdrawals), own.filter((one) => !isOfWithdrawals(one))];
    return [...others, { kind: 'withdrawal', ...addUp(held, started) }];
  }
}

const bySubject = (counts: readonly CountedMatches[]) =>
  ADDRESS_SUBJECTS.map((kind) => ({
    labels: { subject: kind },
    value: counts.find((one) => one.kind === kind)?.count ?? 0,
  }));

const isOfWithdrawals = ({ kind }: WaitingReviews): boolean => kind === 'withdrawal';

/** Adds the reviews of withdrawals that have not started to those of withdrawals that have. */
function addUp(
  held: Omit<WaitingReviews, 'kind'>,
  started: Omit<WaitingReviews, 'kind'> = { count: 0, since: null },
): Omit<WaitingReviews, 'kind'> {
  const [since = null] = [held.since, started.since].flatMap((one) => one ?? []).sort();
  return { count: held.count + started.count, since };
}
