import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { DoubleReturnPosted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { LOGGER, Policy } from '@ponte/nest';
import type { Logger } from 'pino';

/** Logs an error for operations. */
@Policy(DoubleReturnPosted)
export class WhenDoubleReturnPostedReportIt implements IEventHandler<Recorded<DoubleReturnPosted>> {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  async handle(event: Recorded<DoubleReturnPosted>): Promise<void> {
    const { depositId, returnId } = event.data;
    this.logger.error(
      { ...logged(event.meta), depositId, returnId },
      'the bank took a payment back that had been paid back: the money left twice, and staff must reclaim it',
    );
  }
}
