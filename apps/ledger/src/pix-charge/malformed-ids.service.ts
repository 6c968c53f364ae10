import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { lruCache } from '@ponte/kernel';
import { LOGGER, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';

const LISTS = ['received', 'taken-back', 'returned'] as const;
/** The list of the bank that contains the entry. */
type ListOfBank = (typeof LISTS)[number];

/** How many ids are remembered, so that the polls that read an entry again do not report it again. */
const REMEMBERED = 1_000;

/**
 * Reports entries of the bank's lists with an id that no Pix can have; for returned payments, one that no payment of
 * Ponte can have. Each once while the process runs.
 */
@Injectable()
export class MalformedIds {
  private readonly reported = lruCache<string, true>(REMEMBERED);
  private readonly counters: ReadonlyMap<ListOfBank, { inc(): void }>;

  constructor(
    @Inject(METRICS) metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    // Every list has a counter from the start, so that the alert notices the first entry.
    this.counters = new Map(
      LISTS.map((list) => [list, metrics.counter('ponte_bank_ids_malformed_total', { list })] as const),
    );
  }

  /** The entry is not recorded and not retried: asking the bank for it again would change nothing. */
  report(list: ListOfBank, id: string, context: RequestContext): void {
    const key = `${list} ${id}`;
    if (this.reported.has(key)) return;
    this.reported.set(key, true);
    this.counters.get(list)?.inc();
    this.logger.error(
      { ...logged(context), list, endToEndId: id },
      'the bank lists a payment under a malformed id, which cannot be recorded',
    );
  }
}
