import { Inject, Injectable } from '@nestjs/common';
import { lruCache } from '@ponte/kernel';
import { LOGGER, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';

/** How many payments are remembered, so that the polls that read one again do not report it again. */
const REMEMBERED = 1_000;

/**
 * Reports payments of which the bank took back a part, once each while the process runs. The ledger reverses whole
 * payments only, so staff must handle them.
 */
@Injectable()
export class PartialTakeBacks {
  private readonly reported = lruCache<string, true>(REMEMBERED);
  private readonly counter: { inc(): void };

  constructor(
    @Inject(METRICS) metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    // The counter exists from the start, so that the alert notices the first payment.
    this.counter = metrics.counter('ponte_bank_partial_take_backs_total', {});
  }

  report(endToEndId: string): void {
    if (this.reported.has(endToEndId)) return;
    this.reported.set(endToEndId, true);
    this.counter.inc();
    this.logger.error({ endToEndId }, 'the bank took back a part of a payment: staff must handle it');
  }
}
