import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { lruCache } from '@ponte/kernel';
import { LOGGER, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';

/**
 * `payment-amount`: the bank has a payment whose amount differs from the withdrawal's. `payment-posted`: the account
 * was debited for a payment that the bank had made, and then the bank said that it refused this payment.
 * `return-amount`: it now lists a return with a different amount. `return-id`: it lists a return under the id of
 * another deposit. `return-received`: it also lists a return as a received TED. `sent-back-amount`: it has our return
 * of a received payment with a different amount from the payment.
 */
const CONTRADICTIONS = [
  'payment-amount',
  'payment-posted',
  'return-amount',
  'return-id',
  'return-received',
  'sent-back-amount',
] as const;
type PayoutContradiction = (typeof CONTRADICTIONS)[number];

/** The resources that the contradiction is about, for the log. */
type Subject = Readonly<Record<string, string | undefined>>;

/** How many reported contradictions are remembered, so that later polls do not report them again. */
const REMEMBERED = 1_000;

/** Reports statements of the bank about a payout or a return that cannot be true, so that staff resolve them. */
@Injectable()
export class PayoutContradictions {
  private readonly reported = lruCache<string, true>(REMEMBERED);
  private readonly counters: ReadonlyMap<PayoutContradiction, { inc(): void }>;

  constructor(
    @Inject(METRICS) metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    // Every reason has a counter from the start, so that the alert notices the first one.
    this.counters = new Map(
      CONTRADICTIONS.map(
        (reason) => [reason, metrics.counter('ponte_payouts_contradicted_total', { reason })] as const,
      ),
    );
  }

  /** Reports a contradiction that lasts, only once per process. */
  reportOnce(reason: PayoutContradiction, subject: Subject, context: RequestContext): void {
    const key = JSON.stringify([reason, subject]);
    if (this.reported.has(key)) return;
    this.reported.set(key, true);
    this.report(reason, subject, context);
  }

  report(reason: PayoutContradiction, subject: Subject, context: RequestContext): void {
    this.counters.get(reason)?.inc();
    this.logger.error(
      { ...logged(context), reason, ...subject },
      'the bank contradicts what Ponte recorded about a payout or a return: staff must handle it',
    );
  }
}
