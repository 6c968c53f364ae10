import { ReportLimit } from '@ponte/concurrency';
import { safeError } from '@ponte/event-sourcing';
import { lruCache } from '@ponte/kernel';
import type { Logger } from 'pino';

/** How long the read model is not trusted after an attempt: it lags, and our own failures need a pause. */
const ASIDE_MS = 10_000;
const REMEMBERED = 20_000;

/** Deliveries that this process passes over for a while when it reads due ones. */
export class PostponedDeliveries {
  private readonly ids = lruCache<string, true>(REMEMBERED, { ttl: ASIDE_MS });
  private readonly reports = new ReportLimit();

  constructor(private readonly logger: Pick<Logger, 'error'>) {}

  has(deliveryId: string): boolean {
    return this.ids.has(deliveryId);
  }

  /** After an attempt that ended the delivery. */
  add(deliveryId: string): void {
    this.ids.set(deliveryId, true);
  }

  /** After a failure on our own side, which is reported with the fields of `origin`. The attempt does not count. */
  addFailed(deliveryId: string, error: unknown, origin: object = {}): void {
    this.add(deliveryId);
    const { name } = safeError(error);
    this.reports.note(name, (repeats) =>
      this.logger.error(
        { ...origin, error: name, deliveryId, ...repeats },
        'a webhook delivery could not be attempted',
      ),
    );
  }
}
