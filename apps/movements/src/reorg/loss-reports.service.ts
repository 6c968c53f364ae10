import { Inject, Injectable } from '@nestjs/common';
import type { TransactionLost } from '@ponte/contracts';
import { logged } from '@ponte/event-sourcing';
import { LOGGER, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { Trace } from '../transactions/chain-transactions.service';

/**
 * Logs and counts completed transactions that are lost, so that the alert fires: at once when this process records the
 * loss, and again for its event. Both are needed: the process may stop before it reports, and the event may be delayed
 * behind an earlier one of its stream.
 */
@Injectable()
export class LossReports {
  /** The transactions that this process has reported. */
  private readonly reported = new Set<string>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  /** Does nothing if this process has reported the transaction. A loss that two processes report counts twice. */
  report({ transactionId, chain }: Pick<TransactionLost['data'], 'transactionId' | 'chain'>, trace: Trace): void {
    if (this.reported.has(transactionId)) return;
    this.reported.add(transactionId);
    this.logger.error({ ...logged(trace), transactionId, chain }, 'a completed transaction is lost permanently');
    this.metrics.counter('ponte_transactions_lost_total', { chain }).inc();
  }
}
