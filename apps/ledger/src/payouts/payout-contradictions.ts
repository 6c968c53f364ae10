import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { lruCache } from '@ponte/kernel';
import { LOGGER, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';

/**
 * `payment-amount`: the bank made or makes a payment with another amount than the withdrawal. `payment-posted`: it made
 * a payment that it had refused in between, and the account was debited for it before that. `return-amount`: it lists a
 * return with another amount than before. `return-id`: it lists a return under the id of another deposit.
 * `return-received`: it lists a return as a received TED too. `sent-back-amount`: it has the return of a received
 * payment with another amount than was requested.
 */
const CONTRADICTIONS = [
  'payment-amount',
  'payment-posted',
  'return-amount',
  'return-id',
  'return-received',
  'sent-back-amount',
] as const;
export type PayoutContradiction = (typeof CONTRADICTIONS)[number];

/** The resources that the contradiction is about, for the log. */
type Subject = Readonly<Record<string, string | undefined>>;

/** How many contradictions are remembered, so that the polls that read an entry again do not report it again. */
const REMEMBERED = 1_000;

/** Reports what the bank says about a payout, or about a return, and what cannot be true. Staff must handle it. */
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

  /** Reports a contradiction that stays once while the process runs. */
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
