import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionLost } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { fromIso } from '@ponte/kernel';
import { CLOCK, Policy } from '@ponte/nest';
import { LossReports } from './loss-reports.service';

/**
 * Older losses arrive only after a rewind of the relay. They were reported long ago and must not fire the alert again.
 */
const REPORTED_MS = 2 * 24 * 60 * 60 * 1_000;

/** Reports a lost transaction if the process that recorded the loss stopped before it reported it. */
@Policy(TransactionLost)
export class WhenTransactionLostReportLoss implements IEventHandler<Recorded<TransactionLost>> {
  constructor(
    private readonly losses: LossReports,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle({ data, meta }: Recorded<TransactionLost>): Promise<void> {
    if (this.clock.now() - fromIso(meta.occurredAt) <= REPORTED_MS) this.losses.report(data, meta);
  }
}
