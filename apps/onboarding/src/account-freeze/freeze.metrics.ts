import { Inject, Injectable } from '@nestjs/common';
import type { FreezeReason } from '@ponte/contracts';
import { FREEZE_REASONS } from '@ponte/contracts';
import type { Metrics } from '@ponte/observability';
import { METRICS } from '@ponte/nest';

type Counters = ReadonlyMap<FreezeReason, { inc(): void }>;

/**
 * Counts the freezes that the system started, and those that came after the account was closed, by reason. Every reason
 * has counters from the start, so that an alert notices the first one.
 */
@Injectable()
export class FreezeMetrics {
  private readonly freezes: Counters;
  private readonly losses: Counters;

  constructor(@Inject(METRICS) metrics: Metrics) {
    const byReason = (name: Parameters<Metrics['counter']>[0]): Counters =>
      new Map(FREEZE_REASONS.map((reason) => [reason, metrics.counter(name, { reason })]));
    this.freezes = byReason('ponte_accounts_frozen_by_system_total');
    this.losses = byReason('ponte_closed_account_losses_total');
  }

  frozen(reason: FreezeReason): void {
    this.freezes.get(reason)?.inc();
  }

  lostAfterClosing(reason: FreezeReason): void {
    this.losses.get(reason)?.inc();
  }
}
