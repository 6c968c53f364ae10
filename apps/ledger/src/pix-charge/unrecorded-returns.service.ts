import { Inject, Injectable } from '@nestjs/common';
import { lruCache } from '@ponte/kernel';
import { LOGGER, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';

/**
 * Why the ledger does not record returns of a received payment. `part`: the bank took back only a part of the payment
 * (MED), and the ledger reverses whole payments only. `unrequested`: someone else returned it with our access to the
 * bank.
 */
export type UnrecordedReturn = 'part' | 'unrequested';

/** How many payments are remembered, so that the polls that read one again do not report it again. */
const REMEMBERED = 1_000;

const MESSAGES: Readonly<Record<UnrecordedReturn, string>> = {
  part: 'the bank took back a part of a payment: staff must handle it',
  unrequested: 'the bank returned a payment although Ponte had not requested it: staff must handle it',
};

/**
 * Reports payments with returns that staff must handle. Each is reported once while the process runs, and again after a
 * further return.
 */
@Injectable()
export class UnrecordedReturns {
  private readonly reported = lruCache<string, true>(REMEMBERED);
  private readonly counters: Readonly<Record<UnrecordedReturn, { inc(): void }>>;

  constructor(
    @Inject(METRICS) metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    // The counters exist from the start, so that the alerts notice the first payment.
    this.counters = {
      part: metrics.counter('ponte_bank_partial_take_backs_total', {}),
      unrequested: metrics.counter('ponte_bank_unrequested_returns_total', {}),
    };
  }

  /** `latest`: the time of the latest of these returns, in epoch milliseconds. */
  report(why: UnrecordedReturn, endToEndId: string, latest: number): void {
    const key = `${why} ${endToEndId} ${latest}`;
    if (this.reported.has(key)) return;
    this.reported.set(key, true);
    this.counters[why].inc();
    this.logger.error({ endToEndId }, MESSAGES[why]);
  }
}
