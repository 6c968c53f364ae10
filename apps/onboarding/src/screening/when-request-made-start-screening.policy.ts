import type { IEventHandler } from '@nestjs/cqrs';
import { AccountRequested } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { behindEvent, causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { AccountRequests } from '../account-request/account-requests.service';

@Policy(AccountRequested)
export class WhenRequestMadeStartScreening implements IEventHandler<Recorded<AccountRequested>> {
  constructor(private readonly requests: AccountRequests) {}

  async handle(event: Recorded<AccountRequested>): Promise<void> {
    const { requestId } = event.data;
    const { status } = await this.requests.load(requestId);
    if (status === 'absent') behindEvent(`account request ${requestId}`, status);
    await this.requests.handle(
      requestId,
      (at) => ({ kind: 'start-screening', at }),
      causedBy(event, 'start-screening', 'when-request-made'),
    );
  }
}
