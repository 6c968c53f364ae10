import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { RefusedPayoutPosted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { LOGGER, Policy } from '@ponte/nest';
import type { Logger } from 'pino';

/** Logs each loss as an error, which tells staff which payment to reclaim. The alert reads a metric instead. */
@Policy(RefusedPayoutPosted)
export class WhenRefusedPayoutPostedReportIt implements IEventHandler<Recorded<RefusedPayoutPosted>> {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  async handle(event: Recorded<RefusedPayoutPosted>): Promise<void> {
    const { withdrawalId, accountId, endToEndId } = event.data;
    this.logger.error(
      { ...logged(event.meta), withdrawalId, accountId, endToEndId },
      'the bank made a payout after its withdrawal was rolled back: payee and account both have the money, and staff ' +
        'must reclaim it',
    );
  }
}
