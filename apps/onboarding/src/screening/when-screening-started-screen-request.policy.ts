import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import { ScreeningStarted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy, logged, StateBehindEvent } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { ScreenRequestCommand } from './screen-request.command';

/**
 * Screens the request. If a vendor is unavailable, the event is not retried, so that it does not hold up later events
 * of the request: a timer retries the screening. An old state is retried.
 */
@EventsHandler(ScreeningStarted)
export class WhenScreeningStartedScreenRequest implements IEventHandler<Recorded<ScreeningStarted>> {
  constructor(
    private readonly commands: CommandBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async handle(event: Recorded<ScreeningStarted>): Promise<void> {
    const { requestId } = event.data;
    try {
      await this.commands.execute(
        new ScreenRequestCommand({ requestId }, causedBy(event, 'screen-request', 'when-screening-started')),
      );
    } catch (error) {
      if (!(error instanceof Unavailable) || error instanceof StateBehindEvent) throw error;
      this.logger.warn(
        { ...logged(event.meta), requestId, code: error.code },
        'a request could not be screened now; a timer retries it',
      );
    }
  }
}
