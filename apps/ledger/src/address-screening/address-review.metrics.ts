import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { CountedMatches } from '@ponte/contracts';
import { ADDRESS_SUBJECTS } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS } from '@ponte/nest';
import { AddressReviewReadModel } from './address-reviews.read-model';

/** Metrics of address reviews: the size and age of the queue, and the true matches. */
@Injectable()
export class AddressReviewMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly reviews: AddressReviewReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_address_reviews_open', async () => {
      return bySubject(await this.reviews.counts());
    });
    this.metrics.measure('ponte_address_review_oldest_seconds', async () => {
      const now = this.clock.now();
      const ages = (await this.reviews.counts()).map(({ since }) => secondsSince(since, now));
      return [{ labels: {}, value: Math.max(0, ...ages) }];
    });
    this.metrics.measure('ponte_address_true_matches', async () => {
      return bySubject(await this.reviews.countedMatches());
    });
  }
}

const bySubject = (counts: readonly CountedMatches[]) =>
  ADDRESS_SUBJECTS.map((kind) => ({
    labels: { subject: kind },
    value: counts.find((one) => one.kind === kind)?.count ?? 0,
  }));
