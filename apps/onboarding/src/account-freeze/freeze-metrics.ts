import { Inject, Injectable } from '@nestjs/common';
import type { FreezeReason } from '@ponte/contracts';
import { FREEZE_REASONS } from '@ponte/contracts';
import type { Metrics } from '@ponte/observability';
import { METRICS } from '@ponte/nest';

const NAME = 'ponte_accounts_frozen_by_system_total';

/**
 * Counts the freezes that the system started, by reason. Every reason has a counter from the start, so that an alert
 * notices the first freeze.
 */
@Injectable()
export class FreezeMetrics {
  private readonly counters: ReadonlyMap<FreezeReason, { inc(): void }>;

  constructor(@Inject(METRICS) metrics: Metrics) {
    this.counters = new Map(FREEZE_REASONS.map((reason) => [reason, metrics.counter(NAME, { reason })]));
  }

  frozen(reason: FreezeReason): void {
    this.counters.get(reason)?.inc();
  }
}
