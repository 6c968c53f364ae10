import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { addSeconds, derivedId, isoTime } from '@ponte/kernel';
import { CLOCK, PayloadCommand } from '@ponte/nest';
import { LIVENESS_PATIENCE_SECONDS } from '../account-request/due.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests';
import { ProvisionAccountCommand } from '../account/provision-account.command';
import { ScreenRequestCommand } from '../screening/screen-request.command';

export class AdvanceRequestCommand extends PayloadCommand<{ readonly requestId: string }> {}

/** Advances a request after nothing happened to it for too long. */
@CommandHandler(AdvanceRequestCommand)
export class AdvanceRequestHandler implements ICommandHandler<AdvanceRequestCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { requestId }, context }: AdvanceRequestCommand): Promise<void> {
    const state = await this.requests.load(requestId);
    if (!isOpenRequest(state)) return;
    const own = (command: string): RequestContext => ({
      ...context,
      commandId: derivedId('advance', context.commandId, command),
    });
    switch (state.status) {
      case 'pending':
        return this.pending(state, own);
      case 'provisioning-failed': {
        const { status } = await this.requests.move(
          requestId,
          (at) => ({ kind: 'retry-provisioning', at }),
          own('retry'),
        );
        if (status === 'approved')
          await this.commands.execute(new ProvisionAccountCommand({ requestId }, own('provision')));
        return;
      }
      case 'approved':
        return this.commands.execute(new ProvisionAccountCommand({ requestId }, own('provision')));
      case 'active':
      case 'rejected':
      case 'expired':
      case 'cancelled':
        return;
    }
  }

  private async pending(state: OpenRequest, own: (command: string) => RequestContext): Promise<void> {
    const { requestId } = state.terms;
    switch (state.stage) {
      case 'received':
        await this.requests.handle(requestId, (at) => ({ kind: 'start-screening', at }), own('start-screening'));
        return this.commands.execute(new ScreenRequestCommand({ requestId }, own('screen')));
      case 'screening':
        await this.commands.execute(new ScreenRequestCommand({ requestId }, own('screen')));
        if (isoTime(this.clock.now()) < addSeconds(state.since, LIVENESS_PATIENCE_SECONDS)) return;
        await this.requests.handle(requestId, (at) => ({ kind: 'give-up-waiting', at }), own('give-up'));
        return;
      case 'information-requested':
        await this.requests.handle(requestId, (at) => ({ kind: 'expire', at }), own('expire'));
        return;
      case 'manual-review':
      case null:
        return;
    }
  }
}
