import { EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionLost } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { LossReports } from './loss-reports';

/** Reports a lost transaction if the process that recorded the loss ended before it could. */
@EventsHandler(TransactionLost)
export class WhenTransactionLostReportLoss implements IEventHandler<Recorded<TransactionLost>> {
  constructor(private readonly losses: LossReports) {}

  async handle({ data, meta }: Recorded<TransactionLost>): Promise<void> {
    this.losses.report(data, meta);
  }
}
