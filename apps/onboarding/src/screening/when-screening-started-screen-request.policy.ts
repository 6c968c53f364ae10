import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { ScreeningStarted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { behindEvent, causedBy, logged } from '@ponte/event-sourcing';
import { LOGGER, Policy } from '@ponte/nest';
import type { Logger } from 'pino';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { ScreeningQueue } from '../request-intake/screening-queue.service';

/**
 * Adds the request to the screening queue and does not wait for the result: a vendor that does not answer must not hold
 * up other events. A timer screens what was lost in a crash or could not be screened. An old state is retried.
 */
@Policy(ScreeningStarted)
export class WhenScreeningStartedScreenRequest implements IEventHandler<Recorded<ScreeningStarted>> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly queue: ScreeningQueue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async handle(event: Recorded<ScreeningStarted>): Promise<void> {
    const { requestId, round } = event.data;
    const state = await this.requests.load(requestId);
    if (!isOpenRequest(state) || state.round < round)
      return behindEvent(`account request ${requestId}`, isOpenRequest(state) ? `round ${state.round}` : state.status);
    if (state.stage !== 'screening' || state.round > round) return;
    const context = causedBy(event, 'screen-request', 'when-screening-started');
    if (!this.queue.add(state, 'new', context) && !this.queue.isStopping)
      this.logger.warn(
        { ...logged(event.meta), requestId },
        'too many requests are being screened; a timer screens this one',
      );
  }
}
