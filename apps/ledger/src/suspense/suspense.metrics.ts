import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, METRICS } from '@ponte/nest';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { SetAsides } from '../set-aside/set-asides.read-model';

/**
 * `taken-back`: the bank took a payment back that staff had paid back. `payment-booked`: a settlement names a payment
 * that Ponte made.
 */
const CONTRADICTIONS = ['taken-back', 'payment-booked'] as const;
type Contradiction = (typeof CONTRADICTIONS)[number];

/** Metrics of settlements, and of deposits whose money is in suspense: 0 once staff have settled all of them. */
@Injectable()
export class SuspenseMetrics implements OnModuleInit {
  private readonly contradictions: ReadonlyMap<Contradiction, { inc(): void }>;
  private readonly reused: { inc(): void };

  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly readModel: DepositReadModel,
    private readonly setAsides: SetAsides,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const counter = (reason: Contradiction) => metrics.counter('ponte_settlements_contradicted_total', { reason });
    // Every reason has a counter from the start, so that an alert notices the first one.
    this.contradictions = new Map(CONTRADICTIONS.map((reason) => [reason, counter(reason)]));
    this.reused = metrics.counter('ponte_bank_references_reused_total');
  }

  onModuleInit(): void {
    this.metrics.measure('ponte_failed_returns', async () => [
      { value: await this.readModel.countUnsettled('return-refused') },
    ]);
    this.metrics.measure('ponte_unallocated_receipts', async () => [
      { value: await this.readModel.countUnsettled('unallocated') },
    ]);
    this.metrics.measure('ponte_set_aside_deposits', async () => [
      { value: await this.readModel.countUnsettled('set-aside') },
    ]);
    this.metrics.measure('ponte_set_aside_oldest_seconds', async () => {
      return [{ value: secondsSince(await this.setAsides.oldestUnsettled(), this.clock.now()) }];
    });
  }

  referenceReused(): void {
    this.reused.inc();
  }

  contradicted(reason: Contradiction): void {
    this.contradictions.get(reason)?.inc();
  }
}
